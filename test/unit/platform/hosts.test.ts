import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { parseHosts } from '../../../src/platform/database/hosts';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { acquireSession, getClient } from '../../../src/platform/database/knex-client';
import { ensureTestDatabase } from '../../support/database';

test.each([
  ['postgres://u:p@a/shop', ['postgres://u:p@a/shop'], 'any'],
  ['postgresql://u@a:5433/shop?sslmode=require', ['postgresql://u@a:5433/shop?sslmode=require'], 'any'],
  ['postgres://u:p@a,b/shop', ['postgres://u:p@a/shop', 'postgres://u:p@b/shop'], 'any'],
  [
    'postgres://u:p%40@a:1,[::1]:2/shop?sslmode=require&target_session_attrs=read-write',
    ['postgres://u:p%40@a:1/shop?sslmode=require', 'postgres://u:p%40@[::1]:2/shop?sslmode=require'],
    'read-write',
  ],
  ['postgres://a/shop?target_session_attrs=standby', ['postgres://a/shop'], 'standby'],
  ['postgres:///shop?host=/run/postgresql', ['postgres:///shop?host=/run/postgresql'], 'any'],
])('the hosts of %s', (text, urls, target) => {
  expect(parseHosts(text)).toEqual({ urls, target });
});

test.each([
  'mysql://a/shop',
  'postgres://a',
  'postgres://a/',
  'postgres://a,/shop',
  'postgres://,/shop',
  'postgres://a:port,b/shop',
  'postgres://a,b/shop?target_session_attrs=fast',
])('%s is no URL of a database', (text) => {
  expect(parseHosts(text)).toBeNull();
});

const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Forwards connections to a server. While it is frozen, it accepts them, and passes nothing on. */
async function startForwarder(to: URL, isFrozen: boolean) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const upstream = connect(Number(to.port), to.hostname);
    sockets.push(socket, upstream);
    const pass = (from: Socket, target: Socket) =>
      from
        .on('data', (bytes) => forwarder.isFrozen || target.write(bytes))
        .on('error', () => undefined)
        .on('close', () => target.destroy());
    pass(socket, upstream);
    pass(upstream, socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  endings.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const forwarder = { host: `127.0.0.1:${port}`, isFrozen };
  return forwarder;
}

test('after another server is chosen, no connection to a frozen one is used', async () => {
  const server = new URL(await ensureTestDatabase());
  const [first, second] = [await startForwarder(server, false), await startForwarder(server, true)];
  const url = server.href.replace(server.host, `${first.host},${second.host}`);
  const db = connectDatabase({ url, poolSize: 3, log: pino({ level: 'silent' }) });
  endings.push(() => closeDatabase(db));
  const knexClient = getClient(db);
  const idle = await Promise.all([1, 2, 3].map(() => acquireSession(knexClient)));
  for (const session of idle) await knexClient.releaseConnection(session);
  first.isFrozen = true;
  second.isFrozen = false;
  await new Promise((resolve) => {
    const lost = idle[0]!;
    lost.client.once('end', resolve);
    lost.destroy();
  });
  expect((await db.raw<{ rows: unknown[] }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
