import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/database/embedded';
import { runStoreCommand } from '../support/command-line';
import { copyDataFolder } from '../support/data-folder';
import { copyDemoStore } from '../support/demo-store';
import { killPrograms, startProgram, type Program } from '../support/program';
import { queryUrl } from '../support/query-url';

const log = pino({ level: 'silent' });
const ADMIN_TOKEN = 'recovery-admin-token';

/** The blocks of settings in the section of the guide: those for archiving, and those for the recovery. */
function readSettings(folder: string, until: string): [archiving: string, recovery: string] {
  const guide = readFileSync(path.resolve(__dirname, '../../docs/scaling.md'), 'utf8');
  const [, section = ''] = guide.split('## Restore and point-in-time recovery');
  const [archiving, recovery] = [...section.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) =>
    block
      .replaceAll('/srv/wal', path.join(folder, 'wal'))
      .replace(/(recovery_target_time = ')[^']*/, `$1${until}`),
  );
  return [archiving ?? '', recovery ?? ''];
}

let folder: string;
const servers: EmbeddedPostgres[] = [];

async function startServer(name: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, name), log, fast: true });
  servers.push(server);
  return server;
}

const configure = (name: string, settings: string): void =>
  appendFileSync(path.join(folder, name, 'postgres', 'postgresql.conf'), `\n${settings}\n`);

async function readClock(url: string): Promise<string> {
  const [row] = await queryUrl(url, 'SELECT clock_timestamp()::text AS now');
  return String(row?.now);
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-recovery-'));
  for (const name of ['store', 'wal']) mkdirSync(path.join(folder, name));
  // The server runs as another user if this is root.
  for (const name of ['', 'wal']) chmodSync(path.join(folder, name), 0o777);
});

afterAll(async () => {
  killPrograms();
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

test('a store is recovered to the moment before a mistake, by the steps and settings of the guide', async () => {
  await copyDemoStore(path.join(folder, 'first'));
  cpSync(path.join(folder, 'first', 'secret_key'), path.join(folder, 'store', 'secret_key'));
  copyDataFolder(path.join(folder, 'first'), path.join(folder, 'second'));
  configure('first', readSettings(folder, '')[0]);
  const first = await startServer('first');
  const start = (url: string): Promise<Program> =>
    startProgram({
      DATABASE_URL: url,
      DATA_DIR: path.join(folder, 'store'),
      SEED: 'demo',
      ADMIN_TOKEN,
    });
  const store = await start(first.url);
  const headers = { 'X-Store-Token': ADMIN_TOKEN, 'Content-Type': 'application/json' };
  const rename = (name: string) =>
    fetch(`${store.url}/api/v1/products/1`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ product: { name } }),
    });
  expect((await rename('Before the mistake')).status).toBe(200);
  const moment = await readClock(first.url);
  expect((await rename('A mistake')).status).toBe(200);
  store.child.kill('SIGTERM');
  await store.exited;
  const [last] = await queryUrl(first.url, 'SELECT pg_walfile_name(pg_switch_wal()) AS file');
  for (;;) {
    const [archived] = await queryUrl(
      first.url,
      `SELECT coalesce(last_archived_wal >= '${String(last?.file)}', false) AS is_done FROM pg_stat_archiver`,
    );
    if (archived?.is_done === true) break;
    await wait(20);
  }
  await first.stop();

  configure('second', readSettings(folder, moment)[1]);
  writeFileSync(path.join(folder, 'second', 'postgres', 'recovery.signal'), '');
  const second = await startServer('second');
  for (;;) {
    const [state] = await queryUrl(second.url, 'SELECT pg_is_in_recovery() AS is_recovering');
    if (state?.is_recovering === false) break;
    await wait(20);
  }
  expect(await runStoreCommand(['verify'], { DATABASE_URL: second.url })).toMatchObject({ code: 0 });
  const recovered = await start(second.url);
  const product = await fetch(`${recovered.url}/api/v1/products/1`, { headers });
  expect(await product.json()).toMatchObject({ name: 'Before the mistake' });
});
