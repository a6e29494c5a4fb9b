import { createHash, timingSafeEqual } from 'node:crypto';
import { Router, type Request } from 'express';
import { Counter, Gauge, Registry } from 'prom-client';
import { NotAuthorized } from '../errors';
import { buildFigure, readFigures, type Figure, type FigureSource } from './figures';
import { processMetrics } from './metrics';

export interface MetricsOptions {
  /** Who has it as `Authorization: Bearer` may read the metrics; null: programs on this machine may. */
  token: string | null;
  /** Asks the database for something. @throws if it does not answer */
  checkDatabase: () => Promise<void>;
  /** Returns the metrics of all processes as text. */
  collect: () => Promise<string>;
  sources: readonly FigureSource[];
  /** Receives the errors of sources. */
  report: (errors: readonly unknown[]) => void;
}

/** Creates GET /metrics, in the text format of Prometheus. Without the database, its figures are missing. */
export function metricsRouter(
  { token, checkDatabase, collect, sources, report }: MetricsOptions,
  isReady: () => Promise<boolean>,
): Router {
  const router = Router();
  router.get('/metrics', async (request, response) => {
    response.set('Cache-Control', 'no-store');
    if (!(token === null ? isFromThisMachine(request) : hasToken(request, token))) throw new NotAuthorized();
    const [ready, isUp] = await Promise.all([
      isReady(),
      checkDatabase().then(
        () => true,
        () => false,
      ),
    ]);
    const { figures, errors } = isUp ? await readFigures(sources) : { figures: [], errors: [] };
    if (errors.length > 0) report(errors);
    const all = [
      buildFigure('store_ready', 'Whether the process that answers is ready', ready ? 1 : 0),
      buildFigure('store_db_up', 'Whether the database answers', isUp ? 1 : 0),
      ...figures,
    ];
    const text = `${await collect()}\n${await formatFigures(all)}`;
    response.set('Content-Type', processMetrics.contentType).send(text);
  });
  return router;
}

const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** A proxy on this machine also connects from it: what it passes on is recognized by the headers that it adds. */
function isFromThisMachine(request: Request): boolean {
  const address = request.socket.remoteAddress ?? '';
  return (
    /^(127\.|::1$|::ffff:127\.)/.test(address) &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  );
}

function hasToken({ headers }: Request, token: string): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(hash(given), hash(token));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function formatFigures(figures: readonly Figure[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, type, values } of figures) {
    const labelNames = [...new Set(values.flatMap(({ labels }) => Object.keys(labels)))];
    const options = { name, help, labelNames, registers: [registry] };
    if (type === 'counter') {
      const counter = new Counter(options);
      for (const { labels, value } of values) counter.inc(labels, value);
    } else {
      const gauge = new Gauge(options);
      for (const { labels, value } of values) gauge.set(labels, value);
    }
  }
  return registry.metrics();
}
