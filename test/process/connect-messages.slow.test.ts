import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/database/embedded';
import { openDatabase } from '../../src/platform/database/open-database';
import { chooseRunAs, changeOwner } from '../../src/platform/database/embedded/run-as';
import { findBinaries } from '../../src/platform/database/embedded/binaries';
import { runStoreCommand, runStoreProgram } from '../support/command-line';
import { killPrograms, startProgram } from '../support/program';
import { queryUrl } from '../support/query-url';

const TLS = path.resolve(__dirname, '../support/tls');
const CA = path.join(TLS, 'ca.crt');
const log = pino({ level: 'silent' });

let folder: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-connect-')));
  server = await startEmbeddedPostgres({ dataDir: folder, log, fast: true });
});

afterAll(async () => {
  killPrograms();
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** Returns the URL of the server with another host or other parameters. */
function urlWith(parts: { hostname?: string; search?: string; username?: string } = {}): string {
  return Object.assign(new URL(server.url), parts).href;
}

/** Returns the message of a start that fails. */
async function refusal(url: string): Promise<string> {
  return openDatabase({ url, dataDir: folder }, log).then(
    () => 'opened',
    (error: Error) => {
      expect(error.name).toBe('StartupError');
      return error.message;
    },
  );
}

async function reload(...statements: string[]): Promise<void> {
  for (const statement of [...statements, 'SELECT pg_reload_conf()']) await queryUrl(server.url, statement);
}

/** Switches TLS on, with the certificate for `localhost`. */
async function switchTlsOn(): Promise<void> {
  const cluster = path.join(folder, 'postgres');
  for (const name of ['localhost.crt', 'localhost.key', 'machine.crt']) {
    const file = path.join(cluster, name);
    copyFileSync(path.join(TLS, name), file);
    chmodSync(file, 0o600);
    changeOwner(chooseRunAs(findBinaries().postgres).owner, file);
  }
  await reload(
    "ALTER SYSTEM SET ssl_cert_file = 'localhost.crt'",
    "ALTER SYSTEM SET ssl_key_file = 'localhost.key'",
    'ALTER SYSTEM SET ssl = on',
  );
  while ((await refusal(urlWith({ search: '?sslmode=require' }))).includes('TLS switched off'));
}

/** Switches TLS off, as in a new cluster. */
async function switchTlsOff(): Promise<void> {
  await reload('ALTER SYSTEM SET ssl = off');
  while (!(await refusal(urlWith({ search: '?sslmode=require' }))).includes('TLS switched off'));
}

test('TLS: switched off, unknown authority, other name, missing file, and verify-full that works', async () => {
  const search = '?sslmode=verify-full';
  await switchTlsOff();
  expect(await refusal(urlWith({ search: '?sslmode=require' }))).toMatch(
    /^The database at 127\.0\.0\.1:\d+ has TLS switched off: remove sslmode from DATABASE_URL, or set ssl = on/,
  );
  await switchTlsOn();
  for (const mode of ['require', 'verify-full'])
    expect(await refusal(urlWith({ hostname: 'localhost', search: `?sslmode=${mode}` }))).toMatch(
      /has a certificate of an unknown authority: add sslrootcert=FILE to DATABASE_URL, or set NODE_EXTRA_CA_CERTS/,
    );
  expect(await refusal(urlWith({ search: `${search}&sslrootcert=${CA}` }))).toMatch(
    /^The database at 127\.0\.0\.1:\d+ has a certificate for another host name: /,
  );
  expect(await refusal(urlWith({ search: `${search}&sslrootcert=/nowhere/ca.crt` }))).toBe(
    'The certificate file /nowhere/ca.crt of DATABASE_URL cannot be read: correct sslrootcert, sslcert or sslkey',
  );
  expect(await refusal(urlWith({ hostname: 'localhost', search: `${search}&sslrootcert=${CA}` }))).toBe(
    'opened',
  );
});

test('a store runs over TLS with NODE_EXTRA_CA_CERTS', async () => {
  await switchTlsOn();
  const DATABASE_URL = urlWith({ hostname: 'localhost', search: '?sslmode=verify-full' });
  const DATA_DIR = path.join(folder, 'store');
  const store = await startProgram({ DATABASE_URL, DATA_DIR, SEED: 'none', NODE_EXTRA_CA_CERTS: CA });
  expect((await fetch(`${store.url}/health/ready`)).status).toBe(200);
  const [row] = await queryUrl(
    server.url,
    "SELECT bool_and(ssl) AS all FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'store %'",
  );
  expect(row).toEqual({ all: true });
  store.child.kill('SIGTERM');
  await store.exited;

  // PostgreSQL does not know the variable of Node.js, nor all of the parameters.
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const dump = '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 99.1" && exit\n';
  const failing = 'for last; do :; done; echo "error: $last [$PGSSLROOTCERT]" >&2; exit 1\n';
  writeFileSync(path.join(bin, 'pg_dump'), `${dump}${failing}`, { mode: 0o755 });
  const backUp = async (search: string, trusted: object) => {
    const url = urlWith({ hostname: 'localhost', search });
    const settings = { DATABASE_URL: url, DATA_DIR, PATH: bin, ...trusted };
    const { stderr } = await runStoreProgram(['backup', path.join(folder, 'backup')], settings);
    return /error: --dbname=\S*\?(\S*) \[(.*)\]/.exec(stderr)?.slice(1);
  };
  const trusted = { NODE_EXTRA_CA_CERTS: CA };
  expect(await backUp('?sslmode=verify-full', trusted)).toEqual(['sslmode=verify-full', CA]);
  const compatible = '?uselibpqcompat=true&sslmode=verify-full&options=-c%20geqo=off';
  expect(await backUp(compatible, trusted)).toEqual(['sslmode=verify-full&options=-c%20geqo%3Doff', CA]);
  expect(await backUp('?sslmode=no-verify', {})).toEqual(['sslmode=require', '']);
});

test('a store signs in to the database with a certificate instead of a password', async () => {
  await switchTlsOn();
  const rules = path.join(folder, 'postgres', 'pg_hba.conf');
  const original = readFileSync(rules);
  await queryUrl(server.url, 'CREATE ROLE machine LOGIN');
  await queryUrl(server.url, 'CREATE DATABASE machine OWNER machine');
  writeFileSync(rules, `hostssl all machine 127.0.0.1/32 cert\n${original.toString()}`);
  await reload("ALTER SYSTEM SET ssl_ca_file = 'machine.crt'");
  const url = new URL(`postgres://machine@localhost/machine?sslmode=verify-full&sslrootcert=${CA}`);
  url.port = new URL(server.url).port;
  const [sslcert, sslkey] = ['crt', 'key'].map((type) => path.join(TLS, `machine.${type}`));
  const DATABASE_URL = `${url.href}&sslcert=${sslcert}&sslkey=${sslkey}`;
  while ((await refusal(DATABASE_URL)) !== 'opened');
  expect(await refusal(url.href)).not.toBe('opened');

  const settings = { DATABASE_URL, DATA_DIR: path.join(folder, 'machine'), SEED: 'none' };
  const store = await startProgram(settings);
  expect((await fetch(`${store.url}/health/ready`)).status).toBe(200);
  expect(await runStoreProgram(['verify'], settings)).toMatchObject({ code: 0 });
  store.child.kill('SIGTERM');
  await store.exited;
  writeFileSync(rules, original);
  await reload();
});

test('too many connections, at the start and for a command', async () => {
  await queryUrl(server.url, "CREATE ROLE clerk LOGIN PASSWORD 'clerk' CONNECTION LIMIT 1");
  const url = Object.assign(new URL(server.url), { username: 'clerk', password: 'clerk' }).href;
  const holder = new Client({ connectionString: url });
  await holder.connect();
  const message =
    /^The database at 127\.0\.0\.1:\d+ accepts no more connections: raise its max_connections, or lower DATABASE_POOL_SIZE/;
  expect(await refusal(url)).toMatch(message);
  const { code, stderr } = await runStoreCommand(['verify'], { DATABASE_URL: url, DATA_DIR: folder });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
  await holder.end();
});

test('pg_hba.conf that requires TLS, and one without an entry for the user', async () => {
  await queryUrl(server.url, "CREATE ROLE remote LOGIN PASSWORD 'remote'");
  const rules = path.join(folder, 'postgres', 'pg_hba.conf');
  const original = readFileSync(rules);
  const own = 'host all store 127.0.0.1/32 scram-sha-256\n';
  const url = Object.assign(new URL(server.url), { username: 'remote', password: 'remote' }).href;

  writeFileSync(rules, own);
  appendFileSync(rules, 'hostssl all remote 127.0.0.1/32 scram-sha-256\n');
  await reload();
  let message = await refusal(url);
  while (message === 'opened') message = await refusal(url);
  expect(message).toMatch(
    /refuses unencrypted connections of this user from this machine: add sslmode=verify-full/,
  );

  writeFileSync(rules, original);
  await reload();
  while ((await refusal(url)) !== 'opened');
});

test('a host that is unknown, and one that accepts but never answers', async () => {
  expect(await refusal(urlWith({ hostname: 'db.invalid' }))).toMatch(
    /^The database at db\.invalid:\d+ has a host name that cannot be resolved: correct the host in DATABASE_URL/,
  );
  const sockets: Socket[] = [];
  const silent: Server = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo; // it listens on TCP
  expect(await refusal(`postgres://store:secret@127.0.0.1:${port}/store`)).toMatch(
    /^The database at 127\.0\.0\.1:\d+ does not respond: check the host and port of DATABASE_URL, and the firewall/,
  );
  for (const socket of sockets) socket.destroy();
  silent.close();
});
