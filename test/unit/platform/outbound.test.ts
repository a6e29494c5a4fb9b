import diagnostics from 'node:diagnostics_channel';
import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:tls';
import path from 'node:path';
import { post, type PostResult } from '../../../src/platform/outbound/post';
import { createPublicLookup, isPublicAddress } from '../../../src/platform/outbound/public-address';

const TLS = path.resolve(__dirname, '../../support/tls');
const endings: (() => unknown)[] = [];

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  for (const end of endings.splice(0)) end();
});

type Behaviour = (socket: Socket) => unknown;

/** Starts a receiver that does this once a request has begun to arrive. @returns its port */
async function receive(behaviour: Behaviour): Promise<number> {
  const server = createServer((socket) => {
    endings.push(() => socket.destroy());
    socket.on('error', () => undefined).once('data', () => behaviour(socket));
  }).listen(0, '127.0.0.1');
  endings.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // listens on TCP
}

const send = (url: string): Promise<PostResult> =>
  post(url, '{}', { headers: {}, timeoutMs: 10_000, keptBytes: 16, allowsPrivate: true });

const OK = 'HTTP/1.1 200 OK\r\n';

test.each<[string, Behaviour, Partial<PostResult>]>([
  ['ends at once', (socket) => socket.end(), { code: null, text: 'socket hang up' }],
  ['resets', (socket) => socket.resetAndDestroy(), { code: null, text: 'read ECONNRESET' }],
  [
    'ends within the headers',
    (socket) => socket.end(`${OK}content-le`),
    { code: null, text: 'socket hang up' },
  ],
  [
    'ends within the body',
    (socket) => socket.end(`${OK}content-length: 9\r\n\r\nabc`),
    { code: 200, text: 'abc' },
  ],
  [
    'sends an endless body',
    (socket) => socket.write(`${OK}\r\n${'a'.repeat(4_096)}`),
    { code: 200, text: 'a'.repeat(16) },
  ],
  [
    'sends a broken chunk',
    (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\nZZ`),
    { code: 200, text: '' },
  ],
  [
    'sends garbage',
    (socket) => socket.write('\0\xff\r\n\r\n'),
    { code: null, text: expect.stringMatching(/^Parse Error/) },
  ],
  [
    'sends too many headers',
    (socket) => socket.write(OK + 'x: y\r\n'.repeat(9_000)),
    { code: null, text: 'Parse Error: Header overflow' },
  ],
  [
    'changes the protocol',
    (socket) => socket.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    { code: 101, text: '' },
  ],
  [
    'sends hints first',
    (socket) => socket.write('HTTP/1.1 103 X\r\n\r\nHTTP/1.1 204 X\r\n\r\n'),
    { code: 204, text: '' },
  ],
  ['sends NUL', (socket) => socket.end(`${OK}\r\na\0b`), { code: 200, text: 'ab' }],
])('the result tells of a receiver that %s', async (_, behaviour, result) => {
  expect(await send(`http://127.0.0.1:${await receive(behaviour)}/`)).toMatchObject(result);
});

test.each<[string, string, Behaviour, Partial<PostResult>]>([
  ['no byte', 'request', () => undefined, { code: null, text: 'no reply within 10 seconds' }],
  [
    'headers without end',
    'request',
    (socket) => socket.write(`${OK}x: `),
    { code: null, text: 'no reply within 10 seconds' },
  ],
  ['a body without end', 'reply', (socket) => socket.write(`${OK}content-length: 9\r\n\r\n`), { code: 200 }],
])('a receiver that sends %s is left after 10 seconds', async (_, moment, behaviour, result) => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const replied = new Promise<void>((resolve) => {
    const note = (): void => resolve();
    diagnostics.subscribe('http.client.response.finish', note);
    endings.push(() => diagnostics.unsubscribe('http.client.response.finish', note));
  });
  let note = (): void => undefined;
  const requested = new Promise<void>((resolve) => (note = resolve));
  const port = await receive((socket) => {
    behaviour(socket);
    note();
  });
  const sending = send(`http://127.0.0.1:${port}/`);
  await (moment === 'reply' ? replied : requested);
  jest.advanceTimersByTime(10_000);
  expect(await sending).toMatchObject(result);
});

test('the result says that a name does not resolve in time, and names all addresses that refuse', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const lookup = jest.spyOn(dns, 'lookup').mockImplementationOnce(() => undefined); // hangs
  const sending = send('http://shop.example/');
  expect(lookup).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(10_000);
  expect(await sending).toEqual({ code: null, text: 'no address within 10 seconds' });
  jest.useRealTimers();
  // The overloads of lookup differ in what the callback gets.
  lookup.mockImplementationOnce(((_name: string, _options: object, callback: (...all: unknown[]) => void) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ])) as never);
  expect(await send('http://shop.example:1/')).toEqual({
    code: null,
    text: 'connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1',
  });
});

test('a receiver with a certificate of no known authority gets nothing', async () => {
  const got: Buffer[] = [];
  const server = createTlsServer({
    key: readFileSync(`${TLS}/localhost.key`),
    cert: readFileSync(`${TLS}/localhost.crt`),
  }).listen(0, '127.0.0.1');
  server.on('secureConnection', (socket) => socket.on('data', (chunk: Buffer) => got.push(chunk)));
  server.on('tlsClientError', () => undefined);
  endings.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({
    code: null,
    text: expect.stringMatching(/certificate/),
  });
  expect(got).toEqual([]);
});

/** Starts a name server that answers with these IPv4 addresses, one after the other; without one, it hangs. */
async function aNameServer(addresses: string[]): Promise<dns.promises.Resolver> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const isIpv4 = query.readUInt16BE(end - 4) === 1;
    const next = isIpv4 ? addresses.shift() : addresses[0];
    if (next === undefined) return;
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...next.split('.').map(Number)]);
    // A reply with one question, and with one answer or none.
    const counts = Buffer.from([0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
    const parts = [query.subarray(0, 2), counts, query.subarray(12, end), ...(isIpv4 ? [answer] : [])];
    socket.send(Buffer.concat(parts), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  endings.push(() => socket.close());
  const resolver = new dns.promises.Resolver(addresses.length === 0 ? { timeout: 50, tries: 1 } : {});
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return resolver;
}

test('a name that moves to this machine is refused, and one that hangs takes no thread of lookups', async () => {
  const system = jest.spyOn(dns.promises, 'lookup');
  const find = (lookup: ReturnType<typeof createPublicLookup>) =>
    new Promise<string>((resolve) =>
      lookup('shop.example', {}, (error, found) => resolve(error?.message ?? JSON.stringify(found))),
    );
  const moving = createPublicLookup(await aNameServer(['8.8.8.8', '127.0.0.1', '127.0.0.1']));
  expect(await find(moving)).toBe('"8.8.8.8"');
  expect(await find(moving)).toBe('shop.example is in a private network');
  expect(await find(createPublicLookup(await aNameServer([])))).toMatch('ETIMEOUT');
  expect(system).not.toHaveBeenCalled();
});

test.each([
  '::7f00:1',
  '::ffff:127.0.0.1',
  '64:ff9b:1::7f00:1',
  'fec0::1',
  '2002:7f00:1::',
  '3fff::1',
  '100::1',
  '192.0.0.1',
])('%s is in no public network', (address) => expect(isPublicAddress(address)).toBe(false));

test.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) =>
  expect(isPublicAddress(address)).toBe(true),
);
