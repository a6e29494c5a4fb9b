import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../src/platform/database/embedded/postmaster';
import { ensureTestDatabase, testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, getTotalOnHand } from '../support/orders.factory';
import { createShopper } from '../support/program-shopper';
import { killPrograms, startProgram } from '../support/program';

const isInstalled = spawnSync('haproxy', ['-v']).status === 0;
const testWithBalancer = isInstalled ? test : test.skip;
if (!isInstalled) process.stderr.write('haproxy is not installed: its test is skipped\n');

let folder: string;
let balancer: ChildProcess | undefined;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-rolling-')));
});

afterAll(() => {
  killPrograms();
  balancer?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts HAProxy with the documented configuration. @returns its URL */
async function startBalancer(ports: readonly number[]): Promise<string> {
  const port = await findFreePort(null);
  const [STORE_1, STORE_2] = ports.map((one) => `127.0.0.1:${one}`);
  const added = path.join(folder, 'stats.cfg');
  writeFileSync(added, `global\n  stats socket ${path.join(folder, 'stats')} level user\n`);
  balancer = spawn('haproxy', ['-db', '-f', path.resolve(__dirname, '../../docs/haproxy.cfg'), '-f', added], {
    env: { PATH: process.env.PATH, LISTEN: `127.0.0.1:${port}`, STORE_1, STORE_2 },
    stdio: 'ignore',
  });
  return `http://127.0.0.1:${port}`;
}

/** Returns how many times HAProxy has failed to connect to each instance, or has sent a request to another one. */
async function countDetours(): Promise<string[][]> {
  const socket = connect(path.join(folder, 'stats')).end('show stat\n');
  let table = '';
  for await (const chunk of socket) table += String(chunk);
  const [names = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.replace(/^# /, '').split(','));
  const pick = (row: string[], name: string) => row[names.indexOf(name)] ?? '';
  return rows
    .filter((row) => pick(row, 'svname').startsWith('store-'))
    .map((row) => ['econ', 'wretr', 'wredis'].map((name) => pick(row, name)));
}

/** Sends a request on a connection that is kept. Resolves with the status; 0 if there was no reply. */
function send(agent: Agent, url: string, method: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = request(url, { agent, method, headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0));
      reply.once('error', () => resolve(0));
    });
    sent.once('error', () => resolve(0));
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

testWithBalancer(
  'two instances behind HAProxy are restarted one after the other under load: no request is lost',
  async () => {
    const variant = await aSellableVariant({ stock: 100_000 });
    const ports = [await findFreePort(null), await findFreePort(null)];
    const url = await startBalancer(ports);
    const start = async (port: number) =>
      startProgram({
        DATABASE_URL: await ensureTestDatabase(),
        DATA_DIR: folder,
        SEED: 'none',
        SECRET_KEY: 'the same on every instance',
        PORT: String(port),
        SHUTDOWN_DELAY_MS: '3000',
        TRUST_PROXY: '1',
        RATE_LIMIT_SCALE: '0',
      });
    const instances = await Promise.all(ports.map(start));
    const agent = new Agent({ keepAlive: true });
    while ((await send(agent, `${url}/health/ready`, 'GET')) !== 200);

    const statuses: Record<string, number> = {};
    let isOver = false;
    const ask = async (method: string, pathname: string): Promise<void> => {
      while (!isOver) {
        const status = `${method} ${await send(agent, `${url}/api/v1${pathname}`, method)}`;
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    const bought: string[] = [];
    const buy = async (): Promise<void> => {
      const shopper = await createShopper(() => url);
      while (!isOver) bought.push(await shopper.buy(variant.id));
    };
    const load = [ask('GET', '/products'), ask('GET', '/countries'), ask('POST', '/orders'), buy()];

    for (const [index, port] of ports.entries()) {
      instances[index]?.child.kill('SIGTERM');
      expect(await instances[index]?.exited).toBe(0);
      instances[index] = await start(port);
      while ((await send(agent, `http://127.0.0.1:${port}/health/ready`, 'GET')) !== 200);
    }
    const before = bought.length;
    while (bought.length < before + 2) await send(agent, `${url}/health/live`, 'GET');
    isOver = true;
    await Promise.all(load);
    agent.destroy();

    process.stderr.write(`Behind HAProxy: ${JSON.stringify({ ...statuses, orders: bought.length })}\n`);
    expect(Object.keys(statuses).sort()).toEqual(['GET 200', 'POST 201']);
    // HAProxy knew that an instance stops before its port closed.
    expect(await countDetours()).toEqual([
      ['0', '0', '0'],
      ['0', '0', '0'],
    ]);
    const completed: string[] = await testDb()('orders').whereNotNull('completed_at').pluck('number');
    expect(completed.sort()).toEqual([...bought].sort());
    expect(await getTotalOnHand(variant.id)).toBe(100_000 - bought.length);

    // Until the checks have noticed, requests to a killed instance go to the other one.
    const [killed] = instances.splice(0, 1);
    killed?.child.kill('SIGKILL');
    await killed?.exited;
    const fresh = new Agent();
    const after = await Promise.all(
      Array.from({ length: 10 }, () => send(fresh, `${url}/api/v1/countries`, 'GET')),
    );
    expect(new Set(after)).toEqual(new Set([200]));
    expect((await countDetours())[0]).not.toEqual(['0', '0', '0']);
    for (const { child } of instances) child.kill('SIGTERM');
    await Promise.all(instances.map(({ exited }) => exited));
    balancer?.kill('SIGTERM');
    if (balancer !== undefined && balancer.exitCode === null) await once(balancer, 'exit');
    await expectNoViolations();
  },
);
