import { setTimeout as delay } from 'node:timers/promises';
import type * as Api from '@opentelemetry/api';
import { getTraceContext, parseTraceparent, type TraceParent } from './trace';

interface Loaded {
  api: typeof Api;
  tracer: Api.Tracer;
}

let loaded: Loaded | null = null;

/** A collector that does not answer must not hold up the end of the program. */
const STOP_MS = 2_000;

/** Where spans are sent, and what they say of the program. */
export interface TracingOptions {
  /** A collector that receives OTLP over HTTP, such as `http://localhost:4318`. */
  endpoint: string;
  version: string;
  instance: string;
}

/**
 * Sends spans of requests and their statements to a collector. Other settings of the exporter, such as
 * OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES, are read from the environment by its package.
 * @returns a function that sends what is left and stops
 */
export async function startTracing({
  endpoint,
  version,
  instance,
}: TracingOptions): Promise<() => Promise<void>> {
  // They take 15 MB of memory, which a process without a collector saves.
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const own = { 'service.name': 'store', 'service.version': version, 'service.instance.id': instance };
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes(own).merge(given),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const tracing = { api, tracer: provider.getTracer('store') };
  loaded = tracing;
  return async () => {
    if (loaded === tracing) loaded = null;
    const sent = provider.shutdown().catch(() => undefined);
    await Promise.race([sent, delay(STOP_MS, undefined, { ref: false })]);
  };
}

/** Returns whether spans are sent. */
export function isTracing(): boolean {
  return loaded !== null;
}

/** The span of a request. */
export interface RequestSpan {
  trace_id: string;
  /** What spans of its statements are part of. */
  context: unknown;
  end: (outcome: { route: string | null; status: number }) => void;
}

/** Begins the span of a request, as part of the trace of its `traceparent`. Null if no spans are sent. */
export function startRequestSpan(method: string, traceparent: string | undefined): RequestSpan | null {
  if (loaded === null) return null;
  const { api, tracer } = loaded;
  const parent = buildParent(api, parseTraceparent(traceparent));
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes }, parent);
  return {
    trace_id: span.spanContext().traceId,
    context: api.trace.setSpan(parent, span),
    end: ({ route, status }) => {
      span.updateName(`${method} ${route ?? 'unknown'}`);
      span.setAttributes({ 'http.route': route ?? 'unknown', 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function buildParent(api: typeof Api, parent: TraceParent | null): Api.Context {
  if (parent === null) return api.ROOT_CONTEXT;
  const { traceId, spanId, traceFlags } = parent;
  return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/**
 * Begins the span of a statement of the current request, with its text but without values. Null outside of requests, and if no
 * spans are sent.
 */
export function startStatementSpan(text: string): ((error: Error | null) => void) | null {
  const context = getTraceContext();
  if (loaded === null || context === undefined) return null;
  const { api, tracer } = loaded;
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  const name = /^\w+/.exec(text)?.[0].toUpperCase() ?? 'statement';
  // `startRequestSpan` has made it.
  const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes }, context as Api.Context);
  return (error) => {
    if (error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end();
  };
}
