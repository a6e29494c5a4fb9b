import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { loadStoreSecret } from '../../src/boot/store-secret';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { ownDatabaseUrl } from '../seeds/own-database';
import { testDatabaseUrl } from '../setup/test-server';
import { runStoreCommand } from '../support/command-line';
import { createEmptyDatabase } from '../support/database';
import { listen } from '../support/listen';
import { unique } from '../support/unique';

const folder = mkdtempSync(path.join(os.tmpdir(), 'store-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Finding {
  subject: string;
  severity: string;
  message: string;
  advice: string | null;
}

/** Returns the findings by subject. */
async function examine(env: Record<string, string>) {
  const { code, stdout, stderr } = await runStoreCommand(['doctor', '--json'], {
    PORT: '0',
    DATA_DIR: folder,
    SECRET_KEY: 'x'.repeat(32),
    ...env,
  });
  expect(stderr).toBe('');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }; // of our own making
  expect(ok).toBe(code === 0);
  return { code, of: Object.fromEntries(findings.map((finding) => [finding.subject, finding])) };
}

test('reports no problem in a valid store and leaves no files behind', async () => {
  const { code, of } = await examine({ DATABASE_URL: await ownDatabaseUrl() });

  expect(Object.values(of).filter(({ severity }) => severity !== 'ok')).toEqual([]);
  expect(Object.keys(of)).toEqual([
    'program',
    'settings',
    'configuration',
    'database',
    'migrations',
    'clock',
    'connection',
    'storage',
    'mail',
    'worker',
    'metrics',
    'secret key',
    'port',
  ]);
  expect(code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test('reports no problem before the first start and creates nothing', async () => {
  const missing = path.join(folder, 'not', 'yet');
  const { code, of } = await examine({ DATA_DIR: missing, SECRET_KEY: '' });

  expect(code).toBe(0);
  expect(of['database']?.message).toBe('embedded; the first start creates it');
  expect(of['storage']?.message).toContain(`DATA_DIR ${missing} can be created`);
  expect(of['secret key']?.message).toBe(`the first start creates ${path.join(missing, 'secret_key')}`);
  expect(readdirSync(folder)).toEqual([]);
});

test('an invalid setting is the only finding, with exit code 1', async () => {
  const { code, stdout } = await runStoreCommand(['doctor'], { PORT: 'http', SEED: 'all' });

  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^problem {2}configuration {2}PORT must be .*; SEED must be .*\n +-> correct the environment/,
  );
});

test('an unreachable database does not prevent the other checks', async () => {
  const { code, of } = await examine({ DATABASE_URL: 'postgres://store:secret@127.0.0.1:1/store' });

  expect(code).toBe(1);
  expect(of['database']).toEqual({
    subject: 'database',
    severity: 'problem',
    message: 'The database at 127.0.0.1:1 cannot be reached (ECONNREFUSED)',
    advice: 'start it, or correct DATABASE_URL',
  });
  expect(of['storage']?.severity).toBe('ok');
});

test('a database without migrations', async () => {
  const name = unique('store_doctor').replaceAll('-', '_').toLowerCase();
  await createEmptyDatabase(name);
  const { code, of } = await examine({ DATABASE_URL: testDatabaseUrl(name) });

  expect(code).toBe(1);
  expect(of['migrations']).toMatchObject({
    severity: 'problem',
    advice: expect.stringContaining('npm run migrate'),
  });
  expect(of['clock']?.severity).toBe('ok');
});

test('a database that was used with another secret key', async () => {
  const DATABASE_URL = await ownDatabaseUrl();
  const db = connectDatabase({ url: DATABASE_URL, poolSize: 1, log: pino({ level: 'silent' }) });
  await loadStoreSecret(
    { secretKey: 'the key of the store', secretKeyPrevious: null, dataDir: folder, isReadOnly: false },
    db,
  );
  await closeDatabase(db);
  const severity = async (env: Record<string, string>) =>
    (await examine({ DATABASE_URL, ...env })).of['secret key']?.severity;

  expect(await severity({})).toBe('problem');
  expect(await severity({ SECRET_KEY: '' })).toBe('problem');
  expect(await severity({ SECRET_KEY_PREVIOUS: 'the key of the store' })).toBe('ok');
  expect(await severity({ SECRET_KEY: 'the key of the store' })).toBe('ok');
  expect(readdirSync(folder)).toEqual([]);
});

test('a DATA_DIR that is not a folder, and a secret key readable by others', async () => {
  const file = path.join(folder, 'secret_key');
  writeFileSync(file, Buffer.alloc(32));
  // Also where the umask takes the rights of others off.
  chmodSync(file, 0o644);

  const open = await examine({ SECRET_KEY: '' });
  expect(open.of['secret key']).toMatchObject({ severity: 'problem', advice: `chmod 600 ${file}` });

  const wrong = await examine({ DATA_DIR: file, DATABASE_URL: await ownDatabaseUrl() });
  expect(wrong.of['storage']).toMatchObject({
    severity: 'problem',
    message: `DATA_DIR ${file} cannot be written to (ENOTDIR)`,
  });
  rmSync(file);
});

test('a worker apart that does not run, a PUBLIC_URL that leads elsewhere, and a collector that is away', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end('{"status":"ready"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const gone = await listen(() => undefined);
  await gone.close();

  const { code, of } = await examine({
    DATABASE_URL: await ownDatabaseUrl(),
    PORT: String(port),
    WORKER: 'off',
    METRICS_TOKEN: 'a-token-of-prometheus',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: gone.url,
  });
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(1);
  expect(of).toMatchObject({
    worker: { severity: 'problem' },
    'public url': { severity: 'warning' },
    traces: {
      severity: 'warning',
      message: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
    },
    metrics: { message: 'GET /metrics requires METRICS_TOKEN' },
  });
});

test.each([
  [200, '{"status":"ready"}', 'ok', /^the store is running at \S+ and ready$/],
  [503, '{"status":"unavailable"}', 'problem', /^the store is running at \S+ but not ready$/],
  [200, '<html>', 'problem', /^Port \d+ on 127\.0\.0\.1 is in use$/],
])('a port in use by a server that returns %d %s', async (status, body, severity, message) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP

  const { of } = await examine({ PORT: String(port) });
  expect(of['port']).toMatchObject({ severity, message: expect.stringMatching(message) });
  await new Promise((resolve) => server.close(resolve));
});
