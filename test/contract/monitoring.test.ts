import { readFileSync } from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { pino } from 'pino';
import request from 'supertest';
import { parse } from 'yaml';
import { createStoreMetrics } from '../../src/boot/metrics';
import { recordJobRuns, measureJob } from '../../src/platform/job-runs';
import { collectOwn } from '../../src/platform/metrics/cluster-metrics';
import { replicaReads, watchPool } from '../../src/platform/metrics/metrics';
import { makeTestApp } from '../support/api';
import { testDb } from '../support/database';
import { testMailer } from '../support/mail';
import { orderInState } from '../support/orders.factory';
import { withTransaction } from '../../src/platform/database/transaction';

const read = (file: string): string =>
  readFileSync(path.resolve(__dirname, '../../docs/monitoring', file), 'utf8');

const alerts: any[] = parse(read('alerts.yml')).groups.flatMap((group: any) => group.rules);
const dashboard: any = JSON.parse(read('dashboard.json'));
const queries: [string, string][] = [
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets }: any) =>
    targets.map(({ expr }: any): [string, string] => [title, expr]),
  ),
];

/** The labels of each metric, and the values of each label. */
let metrics: Map<string, Map<string, Set<string>>>;

/** Adds the metrics of a text in the format of Prometheus. */
function addMetrics(text: string): void {
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      metrics.set(name + suffix, new Map());
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm))
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      const known = metrics.get(name) ?? new Map<string, Set<string>>();
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
}

beforeAll(async () => {
  metrics = new Map();
  const log = pino({ level: 'silent' });
  const db = testDb();
  const { app } = makeTestApp(
    {},
    { metrics: createStoreMetrics({ db, replica: db, log, token: null, collect: collectOwn }) },
  );
  // So that each metric has samples.
  await orderInState('complete');
  await request(app).get('/api/v1/products');
  await request(app).get('/api/v1/nothing');
  const forget = watchPool({ numUsed: () => 1, numFree: () => 1, numPendingAcquires: () => 0 }, 'primary', 2);
  replicaReads.inc({ database: 'replica' });
  await measureJob('settle interrupted payments', () => Promise.resolve());
  await recordJobRuns(db);
  await withTransaction({ db }, (tx) => {
    testMailer().post(tx, 'password_reset', { to: '' });
    return Promise.resolve();
  });
  addMetrics((await request(app).get('/metrics')).text);
  forget();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addMetrics(await registry.metrics());
});

const NAME = /\b(?:store|http|process|nodejs)_[a-z0-9_]+/g;

/** Labels that Prometheus adds. */
const ADDED = ['instance', 'job'];

test.each(queries)('%s: the metrics and labels of %s exist', (_name, expr) => {
  const named = expr.replace(/"[^"]*"/g, '""').match(NAME) ?? [];
  expect(named.filter((name) => !metrics.has(name))).toEqual([]);
  for (const [, name = '', matchers = ''] of expr.matchAll(/\b([a-z]\w+)\{([^}]*)\}/g))
    for (const [, label = '', operator = '', value = ''] of matchers.matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
      if (name === 'up') continue;
      expect([name, [...(metrics.get(name)?.keys() ?? [])]]).toEqual([name, expect.arrayContaining([label])]);
      // Values that occur only in trouble cannot be compared.
      if (operator === '=' && ['task', 'job', 'result'].includes(label))
        expect([...(metrics.get(name)?.get(label) ?? [])]).toContain(value);
    }
  for (const [, list = ''] of expr.matchAll(/by \(([^)]*)\)/g))
    for (const label of list.split(',').map((one) => one.trim()))
      expect([label, [...ADDED, ...named.flatMap((name) => [...(metrics.get(name)?.keys() ?? [])])]]).toEqual(
        [label, expect.arrayContaining([label])],
      );
});

test('every alert has a section in the runbook, and every section an alert', () => {
  const sections = [...read('runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, annotations } of alerts)
    expect(annotations).toEqual({
      summary: expect.stringMatching(/\S/),
      runbook: `docs/monitoring/runbook.md#${alert.toLowerCase()}`,
    });
});

test('every metric of the store is on the dashboard or in an alert', () => {
  const used = queries.flatMap(([, expr]) => expr.match(NAME) ?? []);
  const shown = [...metrics.keys()].filter((name) => name.startsWith('store_'));
  const INFORMATION = ['store_processes', 'store_job_last_failure_timestamp_seconds'];
  expect(shown.filter((name) => !used.includes(name) && !INFORMATION.includes(name))).toEqual([]);
});
