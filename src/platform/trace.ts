import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of a request repeats. */
interface TraceFields {
  trace_id: string;
}

const current = new AsyncLocalStorage<TraceFields>();

/** Trace Context of the W3C: version, trace id, id of the caller's span, flags. Later versions may append fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** Returns the trace id of a `traceparent` header; null if it is missing or invalid. */
export function parseTraceId(header: string | undefined): string | null {
  return TRACEPARENT.exec(header ?? '')?.[1] ?? null;
}

/** Runs `work` and what it starts as part of a trace; outside of any if it is null, which costs nothing. */
export function runInTrace(trace_id: string | null, work: () => void): void {
  if (trace_id === null) work();
  else current.run({ trace_id }, work);
}

/** Returns the fields of the current trace, for the log. */
export function getTraceFields(): Partial<TraceFields> {
  return current.getStore() ?? {};
}
