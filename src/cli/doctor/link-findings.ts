import type { Facts } from './facts';
import { ok, problem, warning, type Finding } from './finding';

/** Checks whether a process works in the background. */
export function checkWorker({
  settings,
  database,
  port,
}: Pick<Facts, 'settings' | 'database' | 'port'>): Finding[] {
  if (settings.hasInlineWorker === null) return [];
  if (settings.hasInlineWorker)
    return [ok('worker', 'WORKER is inline; the server also works in the background')];
  const workers = database.state === 'reachable' ? database.workers : null;
  if (workers === null) return [];
  if (workers > 0) return [ok('worker', `processes that work in the background: ${workers}`)];
  const isServing = port.state === 'ready' || port.state === 'not_ready';
  const report = isServing ? problem : warning;
  return [
    report(
      'worker',
      'WORKER is off, and no process works in the background; mails, webhooks and interrupted payments wait',
      'start npm run worker with the same settings',
    ),
  ];
}

/** Checks PUBLIC_URL and the collector of traces. */
export function checkLinks({ links, port }: Pick<Facts, 'links' | 'port'>): Finding[] {
  const { publicUrl, collector } = links;
  return [
    ...(publicUrl === null ? [] : [checkPublicUrl(publicUrl, port)]),
    ...(collector === null ? [] : [checkCollector(collector)]),
  ];
}

function checkPublicUrl(
  { url, leadsToStore }: NonNullable<Facts['links']['publicUrl']>,
  { state }: Facts['port'],
): Finding {
  if (leadsToStore) return ok('public url', `${url} leads to a store`);
  if (state !== 'ready') return ok('public url', `${url} is checked while the store is running`);
  return warning(
    'public url',
    `${url} does not lead to the store from this machine; clients cannot load images if it does not lead there either`,
    'correct PUBLIC_URL, or the proxy or name service that it leads to',
  );
}

function checkCollector({ host, errorCode }: NonNullable<Facts['links']['collector']>): Finding {
  if (errorCode === null) return ok('traces', `${host} answers`);
  return warning(
    'traces',
    `the collector ${host} cannot be reached (${errorCode}); traces are lost`,
    'start it, or correct or remove OTEL_EXPORTER_OTLP_ENDPOINT',
  );
}

/** Reports who may read the metrics. */
export function checkMetrics({ settings }: Pick<Facts, 'settings'>): Finding[] {
  return [
    ok(
      'metrics',
      settings.hasMetricsToken
        ? 'GET /metrics requires METRICS_TOKEN'
        : 'METRICS_TOKEN is not set; only programs on this machine may read GET /metrics',
    ),
  ];
}
