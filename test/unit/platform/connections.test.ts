import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { listen, type HttpServer } from '../../../src/platform/http/http-server';

let server: HttpServer;
const events = new EventEmitter();
let release: () => void;
let held: Promise<void>;
const opened: Socket[] = [];
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await server.stop();
});

async function start(limits: { most: number; mostUnsentBytes: number }): Promise<void> {
  let arrive: () => void;
  held = new Promise((resolve) => (arrive = resolve));
  server = await listen({
    host: '127.0.0.1',
    port: 0,
    limits,
    handler: ({ url }, response) => {
      if (url === '/hold') {
        release = () => response.end('released');
        arrive();
      } else if (url === '/unfinished') events.emit('unfinished');
      else response.end(url === '/large' ? Buffer.alloc(20_000_000) : 'done');
    },
  });
}

async function open(request = '', localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) });
  opened.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (request !== '') socket.write(`GET ${request} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

/** Sends a request whose body does not end. */
async function openUnfinished(localAddress?: string): Promise<Socket> {
  const socket = await open('', localAddress);
  const handled = once(events, 'unfinished');
  socket.write('POST /unfinished HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
  await handled;
  return socket;
}

const closing = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => socket.resume().once('close', resolve));

const read = async (socket: Socket): Promise<string> =>
  String((await once(socket, 'data'))[0]).split('\r\n\r\n')[1] ?? '';

test('one connection too many closes the one that has been idle for longest', async () => {
  await start({ most: 3, mostUnsentBytes: 1 });
  const busy = await open('/hold');
  await held;
  await read(await open('/other'));
  const idle = await open();
  const closed = closing(idle);
  const used = await open('/used');
  expect(await read(used)).toBe('done');
  const last = await open('/last');
  expect(await read(last)).toBe('done');
  await closed;
  const answer = read(busy);
  release();
  expect(await answer).toBe('released');
});

test('if none is idle, it closes one that waits for its client: for the rest of a body, or to read the reply', async () => {
  await start({ most: 3, mostUnsentBytes: 30_000_000 });
  const busy = await open('/hold');
  await held;
  const unfinished = await openUnfinished();
  const unread = (await open('/large')).pause();
  await once(unread, 'readable');
  const closed = closing(unfinished);
  expect(await read(await open('/first'))).toBe('done');
  await closed;
  // The connection that was served is idle, and the next ones take its place.
  await openUnfinished();
  expect(await read(await open('/second'))).toBe('done');
  const answer = read(busy);
  release();
  expect(await answer).toBe('released');
  expect(unread.destroyed).toBe(false);
});

/** Only Linux has several addresses for one machine. */
const testOnLinux = existsSync('/proc/self/status') ? test : test.skip;

testOnLinux(
  'the address with the most connections loses one, before others lose those that are idle',
  async () => {
    await start({ most: 4, mostUnsentBytes: 1 });
    const other = await open('/other');
    await read(other);
    const attackers = [];
    for (let count = 0; count < 3; count += 1) attackers.push(await openUnfinished('127.0.0.66'));
    const closed = closing(attackers[0]!);
    expect(await read(await open('/new'))).toBe('done');
    await closed;
    other.write('GET /again HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await read(other)).toBe('done');
    expect(attackers.slice(1).map(({ destroyed }) => destroyed)).toEqual([false, false]);
  },
);

test('it is refused if none is idle and none waits for its client', async () => {
  await start({ most: 1, mostUnsentBytes: 1 });
  const busy = await open('/hold');
  await held;
  const refused = await open('/refused');
  await closing(refused);
  const answer = read(busy);
  release();
  expect(await answer).toBe('released');
});

test('connections that do not read their replies are closed when too many bytes wait, the oldest first', async () => {
  await start({ most: 100, mostUnsentBytes: 30_000_000 });
  const unread = async () => (await open('/large')).pause();
  const oldest = await unread();
  const next = await unread();
  // A client that does not read notices by its next write that the connection is closed.
  const writing = setInterval(() => oldest.write('\r\n'), 50);
  await new Promise((resolve) => oldest.once('close', resolve));
  clearInterval(writing);
  expect(oldest.bytesRead).toBeLessThan(20_000_000);
  let received = 0;
  next.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
  while (received < 20_000_000) await once(next, 'data');
});

test('a body in many chunks of a few bytes closes the connection', async () => {
  server = await listen({
    host: '127.0.0.1',
    port: 0,
    handler: (request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.once('end', () => response.end(`read ${bytes} bytes`));
    },
  });
  const send = async (chunk: string, count: number): Promise<string> => {
    const socket = await open();
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket.write(`${head}${`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count)}0\r\n\r\n`);
    await once(socket, 'close');
    return text;
  };
  expect(await send('x', 200)).toContain('read 200 bytes');
  expect(await send('a row of a stream', 5_000)).toContain('read 85000 bytes');
  expect(await send('x', 5_000)).toBe('');
});
