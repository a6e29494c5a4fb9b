import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of a request repeats. */
interface TraceFields {
  trace_id: string;
}

/** The trace that work belongs to, and the context of its spans if they are sent. */
export interface Trace extends TraceFields {
  context?: unknown;
}

const current = new AsyncLocalStorage<Trace>();

/** The trace and the span of a caller. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

/** Trace Context of the W3C: version, trace id, id of the caller's span, flags. Later versions may append fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` header; null if it is missing or invalid. */
export function parseTraceparent(header: string | undefined): TraceParent | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header ?? '') ?? [];
  return traceId === '' ? null : { traceId, spanId, traceFlags: parseInt(flags, 16) };
}

/** Runs `work` and what it starts as part of a trace; outside of any if it is null, which costs nothing. */
export function runInTrace(trace: Trace | null, work: () => void): void {
  if (trace === null) work();
  else current.run(trace, work);
}

/** Returns the fields of the current trace, for the log. */
export function getTraceFields(): Partial<TraceFields> {
  const trace = current.getStore();
  return trace === undefined ? {} : { trace_id: trace.trace_id };
}

/** Returns the context of the spans of the current trace; undefined outside of traces. */
export function getTraceContext(): unknown {
  return current.getStore()?.context;
}
