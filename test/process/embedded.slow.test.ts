import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/database/embedded';
import { findBinaries, repairLinks } from '../../src/platform/database/embedded/binaries';
import { buildUrl } from '../../src/platform/database/embedded/cluster';
import { findFreePort, startPostmaster } from '../../src/platform/database/embedded/postmaster';
import { changeOwner, chooseRunAs, listWaysForRoot } from '../../src/platform/database/embedded/run-as';
import {
  listProcesses,
  findRecordedPostmaster,
  sendSignal,
} from '../../src/platform/database/embedded/processes';
import { StartupError } from '../../src/platform/startup-error';
import { copyDataFolder } from '../support/data-folder';

const log = pino({ level: 'silent' });

/** A database created once; each test uses a copy of its folder. */
let original: string;
let folder: string;
const running: EmbeddedPostgres[] = [];

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, fast: true });
  running.push(postgres);
  return postgres;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const cluster = (): string => path.join(folder, 'postgres');

beforeAll(async () => {
  original = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-embedded-')));
  const postgres = await startEmbeddedPostgres({ dataDir: original, log, fast: true });
  await query(postgres.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await postgres.stop();
});

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-embedded-')));
  copyDataFolder(original, folder);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
  rmSync(folder, { recursive: true });
});

afterAll(() => rmSync(original, { recursive: true }));

test('gets none of the secrets of the store in its environment', async () => {
  process.env['SECRET_KEY'] = 'a key that PostgreSQL must not get';
  process.env['ADMIN_PASSWORD'] = 'a password that PostgreSQL must not get';
  try {
    const { url } = await start(folder);
    await query(url, 'SELECT 1');
  } finally {
    delete process.env['SECRET_KEY'];
    delete process.env['ADMIN_PASSWORD'];
  }
  const environments = listProcesses(cluster()).map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
  expect(environments.length).toBeGreaterThan(0);
  // Backends overwrite theirs with their titles.
  expect(environments.some((environment) => environment.includes('TZ=UTC'))).toBe(true);
  for (const environment of environments) expect(environment).not.toMatch(/SECRET_KEY|ADMIN_|must not get/);
});

test('keeps its data and its port after a restart, and leaves no process running', async () => {
  const first = await start(folder);
  await query(first.url, 'INSERT INTO kept VALUES (43)');
  await first.stop();
  expect(listProcesses(cluster())).toEqual([]);

  const second = await start(folder);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'SELECT answer FROM kept ORDER BY answer')).toEqual([
    { answer: 42 },
    { answer: 43 },
  ]);
});

test('requires the password, listens on 127.0.0.1 only, and protects the password file', async () => {
  const { url } = await start(folder);
  const wrong = new URL(url);
  wrong.password = 'guess';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal);
  if (outside !== undefined) {
    const elsewhere = new URL(url);
    elsewhere.hostname = outside.address;
    await expect(query(elsewhere.href, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
  expect(statSync(path.join(folder, 'postgres.json')).mode & 0o777).toBe(0o600);
});

test('uses another port if its own is in use', async () => {
  const first = await start(folder);
  const second = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-embedded-')));
  copyDataFolder(original, second);
  writeFileSync(path.join(second, 'postgres.json'), readFileSync(path.join(folder, 'postgres.json')));

  const other = await start(second);
  expect(new URL(other.url).port).not.toBe(new URL(first.url).port);
  expect(await query(other.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await other.stop();
  rmSync(second, { recursive: true });
});

test('a second start on the folder fails, and the first server keeps running', async () => {
  const { url } = await start(folder);

  const second = start(folder);
  await expect(second).rejects.toThrow(StartupError);
  await expect(second).rejects.toThrow(
    `DATA_DIR ${folder} is in use by another process (${process.pid}): stop that process, or set another DATA_DIR`,
  );
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('stops the server that a killed process left running, and starts on its data', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/support/embedded-child.ts', folder], {
    cwd: path.resolve(__dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  await query(line.toString().trim(), 'INSERT INTO kept VALUES (44)');
  const orphan = findRecordedPostmaster(cluster()) ?? 0;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(listProcesses(cluster())).toContain(orphan);

  const { url } = await start(folder);
  expect(listProcesses(cluster())).not.toContain(orphan);
  expect(await query(url, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 2 }]);
});

test('ignores a stale postmaster.pid with the id of an unrelated process, which keeps running', async () => {
  const stranger = spawn('sleep', ['60']);
  writeFileSync(
    path.join(cluster(), 'postmaster.pid'),
    `${stranger.pid ?? 0}\n${cluster()}\n1\n5432\n\n127.0.0.1\n\nready\n`,
  );

  const { url } = await start(folder);
  expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  expect(stranger.exitCode).toBeNull();
  expect(stranger.signalCode).toBeNull();
  stranger.kill();
});

test('an interrupted initdb is started again', async () => {
  rmSync(cluster(), { recursive: true });
  mkdirSync(path.join(folder, 'postgres.initializing', 'base'), { recursive: true });
  writeFileSync(path.join(folder, 'postgres.initializing', 'PG_VERSION'), '18\n');

  const { url } = await start(folder);
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(existsSync(path.join(folder, 'postgres.initializing'))).toBe(false);
});

test('a missing password file is reported in one message', async () => {
  rmSync(path.join(folder, 'postgres.json'));

  await expect(start(folder)).rejects.toThrow(
    /postgres\.json, which holds the password .* cannot be read: restore it/,
  );
});

test('a damaged data folder is reported with the message of PostgreSQL', async () => {
  writeFileSync(path.join(cluster(), 'PG_VERSION'), '9.6\n');

  await expect(start(folder)).rejects.toThrow(
    /^The embedded PostgreSQL does not start: database files are incompatible/,
  );
});

test('a server that dies is restarted at the same address', async () => {
  const postgres = await start(folder);
  const victim = findRecordedPostmaster(cluster()) ?? 0;
  process.kill(victim, 'SIGKILL');

  const answer = async (): Promise<unknown[]> => {
    for (;;) {
      try {
        if (findRecordedPostmaster(cluster()) !== victim)
          return await query(postgres.url, 'SELECT answer FROM kept');
      } catch {
        // Not yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  expect(await answer()).toEqual([{ answer: 42 }]);
});

test('a server that cannot be restarted is abandoned', async () => {
  const postgres = await start(folder);
  writeFileSync(path.join(cluster(), 'postgresql.conf'), 'nonsense');
  for (const pid of listProcesses(cluster())) sendSignal(pid, 'SIGKILL');

  expect(await postgres.exited).toBeNull();
});

/** Returns how many processes use the shared memory of the server. */
function countAttached(id: string): number {
  const segments = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n');
  const fields = segments.map((line) => line.trim().split(/\s+/)).find(([, segment]) => segment === id);
  return Number(fields?.[6] ?? 0);
}

test('once no process of a killed server is listed, its shared memory is free for the next one', async () => {
  await (await startEmbeddedPostgres({ dataDir: folder, log, fast: true })).stop();
  const { password } = JSON.parse(readFileSync(path.join(folder, 'postgres.json'), 'utf8'));
  const binaries = findBinaries();
  const logFile = path.join(folder, 'postgres.log');
  const logHandle = openSync(logFile, 'a');
  const place = { folder: cluster(), binaries, runAs: chooseRunAs(binaries.postgres), logFile, logHandle };
  const stillUsed: number[] = [];
  // The moment in which a process holds the memory but has no executable is met by about one kill in thirty.
  for (let kill = 0; kill < 40; kill += 1) {
    rmSync(path.join(cluster(), 'postmaster.pid'), { force: true });
    const port = await findFreePort(null);
    await startPostmaster({ ...place, settings: ['fsync=off'] }, port);
    const lines = readFileSync(path.join(cluster(), 'postmaster.pid'), 'utf8').split('\n');
    const [, id] = (lines[6] ?? '').trim().split(/\s+/);
    const connecting = Array.from({ length: 20 }, () => connect(buildUrl(port, password)));
    const clients = await Promise.all(connecting);
    for (const pid of listProcesses(cluster())) sendSignal(pid, 'SIGKILL');
    while (listProcesses(cluster()).length > 0);
    stillUsed.push(countAttached(String(id)));
    for (const client of clients) void client.end().catch(() => undefined);
  }
  closeSync(logHandle);
  expect(stillUsed).toEqual(stillUsed.map(() => 0));
});

test('creates missing library links and keeps existing ones', () => {
  const native = path.join(folder, 'native');
  mkdirSync(path.join(native, 'lib'), { recursive: true });
  writeFileSync(path.join(native, 'lib', 'libx.so.1.2'), 'x');
  symlinkSync('elsewhere', path.join(native, 'lib', 'libx.so.1'));
  const links = ['libx.so', 'libx.so.1'].map((name) => ({
    source: 'native/lib/libx.so.1.2',
    target: `native/lib/${name}`,
  }));
  writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));

  repairLinks(folder);
  repairLinks(folder);
  expect(readlinkSync(path.join(native, 'lib', 'libx.so'))).toBe('libx.so.1.2');
  expect(readlinkSync(path.join(native, 'lib', 'libx.so.1'))).toBe('elsewhere');
});

const isRoot = process.getuid?.() === 0;
const ways = isRoot ? listWaysForRoot(findBinaries().postgres) : [];

(isRoot ? test : test.skip)('root has a way to run PostgreSQL', () => expect(ways).not.toEqual([]));

for (const way of ways) {
  test(`root can create a database in a private folder with: ${way.name}`, () => {
    const data = path.join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    // Only this way needs folders that the other user can enter.
    if (way.name === 'other user') chmodSync(folder, 0o755);
    changeOwner(way.owner, data);

    const [file, args] = way.command(findBinaries().initdb, ['-D', data, '--auth=reject', '--no-sync']);
    const { status, stderr } = spawnSync(file, args, { ...way.identity, cwd: '/', encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(lstatSync(path.join(data, 'PG_VERSION')).uid).toBe(way.owner?.uid);
  });
}
