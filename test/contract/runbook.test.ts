import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { EnvironmentSchema } from '../../src/environment';
import { anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { runStoreCommand } from '../support/command-line';
import { ensureTestDatabase, testDb } from '../support/database';

/* What the runbook tells to run is run here as it is written. */

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const runbook = read('docs/monitoring/runbook.md');
const spans = [...new Set([...runbook.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span))];
const select = (pattern: RegExp): string[] => spans.filter((span) => pattern.test(span));

const KINDS = {
  sql: /^(SELECT .*|ANALYZE|EXPLAIN \(.*\))$/,
  command: /^npm run /,
  path: /^(GET|PUT) \//,
  metric: /^(store|nodejs)_[a-z0-9_]+$/,
  /** The test of the alerts evaluates its names. */
  query: /^histogram_quantile\(/,
  setting: /^[A-Z]+(_[A-Z]+)*(=\w+)?$/,
  role: /^pg_[a-z_]+$/,
};
/** Names of columns, fields, labels, headers and folders, and words that the log has. */
const words = spans.filter((span) => !Object.values(KINDS).some((kind) => kind.test(span)));

const program = readdirSync(path.join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
  .join('\n');

test('every word of the runbook is one of the program', () => {
  /** From PostgreSQL, whose text begins with "canceling statement due to", and from its driver. */
  const OTHERS = ['lock timeout', 'target_session_attrs=read-write'];
  const isUsed = (word: string): boolean => program.includes(word.replace(': true', ''));
  expect(words.filter((word) => !isUsed(word) && !OTHERS.includes(word))).toEqual([]);
  const settings = select(KINDS.setting).map((span) => span.split('=')[0] ?? '');
  const known = [...Object.keys(EnvironmentSchema.shape), 'TMPDIR', 'ANALYZE'];
  expect(settings.filter((name) => !known.includes(name))).toEqual([]);
});

test('its metrics are on the dashboard or in an alert', () => {
  const monitoring = read('docs/monitoring/dashboard.json') + read('docs/monitoring/alerts.yml');
  expect(select(KINDS.metric).filter((name) => !monitoring.includes(name))).toEqual([]);
});

test('its paths are answered', async () => {
  const admin = api(await anAdmin());
  const webhook = await admin.post('/webhooks', {
    webhook: { url: 'https://receiver.example', events: ['*'] },
  });
  const { mails } = (await admin.get('/mails')).body;
  const paths = select(KINDS.path).filter((span) => span.includes(' /api/v1/'));
  expect(paths.length).toBeGreaterThan(4);
  for (const written of paths)
    for (const { name } of mails) {
      const [method = '', target = ''] = written.split(' /api/v1');
      const sent = target.replace(':id', String(webhook.body.id)).replace('NAME', String(name));
      const reply = await (method === 'PUT' ? admin.put(sent, {}) : admin.get(sent));
      expect([sent, reply.status]).toEqual([sent, 200]);
    }
});

test('its commands exist, and the doctor examines a store', async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
  for (const command of select(KINDS.command)) expect(scripts).toHaveProperty(command.split(' ')[2] ?? '');
  const { stdout } = await runStoreCommand(['doctor'], { DATABASE_URL: await ensureTestDatabase() });
  expect(stdout).toMatch(/database/);
});

describe('its SQL', () => {
  /** Who reads the runbook, and who has forgotten a transaction. The roles are those of all databases of the server. */
  const names = ['operator', 'person'].map((name) => `${name}_${randomBytes(6).toString('hex')}`);
  const clients: Client[] = [];

  const connectAs = async (user: string): Promise<Client> => {
    const url = Object.assign(new URL(await ensureTestDatabase()), { username: user, password: 'secret' });
    const client = new Client({ connectionString: url.href, application_name: user });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    const [operator = '', person = ''] = names;
    for (const name of names) await testDb().raw(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    for (const role of select(KINDS.role)) await testDb().raw(`GRANT ${role} TO ${operator}`);
    await testDb().raw(`GRANT UPDATE ON shipping_categories TO ${person}`);
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    for (const name of names) await testDb().raw(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  });

  test('runs as it is written, by a role that the runbook names', async () => {
    const statements = select(KINDS.sql);
    expect(statements).toHaveLength(6);
    const operator = await connectAs(names[0] ?? '');
    for (const sql of statements.filter((one) => !one.includes('terminate')))
      await operator.query(sql.startsWith('EXPLAIN') ? `${sql} SELECT 1` : sql);
  });

  test('finds who blocks others and the oldest transaction, and ends it', async () => {
    const find = (word: string): string => select(KINDS.sql).find((sql) => sql.includes(word)) ?? '';
    const [operator, person] = [await connectAs(names[0] ?? ''), await connectAs(names[1] ?? '')];
    const lost = new Promise((resolve) => person.once('error', resolve));
    await person.query('BEGIN');
    await person.query('LOCK TABLE shipping_categories');
    const { rows: own } = await person.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = own[0]?.pid ?? 0;
    const blocked = testDb()('shipping_categories').count().then();

    let waiting: { pg_blocking_pids: number[]; query: string }[] = [];
    while (!waiting.some(({ pg_blocking_pids }) => pg_blocking_pids.includes(pid)))
      waiting = (await operator.query<(typeof waiting)[number]>(find('pg_blocking_pids'))).rows;
    expect(waiting.map(({ query }) => query)).toContainEqual(expect.stringContaining('shipping_categories'));
    expect((await operator.query(find('xact_start'))).rows).toContainEqual(
      expect.objectContaining({ pid, application_name: names[1], state: 'idle in transaction' }),
    );
    await operator.query(find('pg_terminate').replace('pid', String(pid)));
    expect(await lost).toBeInstanceOf(Error);
    await blocked;
  });
});
