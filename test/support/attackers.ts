import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** The address of the attackers, which is not that of the calm guest. */
export const ATTACKER = '127.0.0.66';

/** Where the store listens. */
export interface Target {
  host: string;
  port: number;
}

/** Opens a connection of an attacker. Errors of it are ignored, as attackers do; `signal` closes it. */
export async function openConnection({ host, port }: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, localAddress: ATTACKER });
  socket.on('error', () => undefined);
  const close = () => socket.resetAndDestroy();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  socket.once('close', () => signal.removeEventListener('abort', close));
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
  return socket;
}

/** A request as it is sent. */
export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** Builds the bytes of a request. Content-Length is that of the body unless `headers` has one. */
export function buildRequest({ method = 'GET', path, headers = {}, body = '' }: RawRequest): Buffer {
  const bytes = Buffer.from(body);
  const all = {
    Host: 'localhost',
    ...(bytes.length > 0 && { 'Content-Length': String(bytes.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

const NEVER = new AbortController().signal;

/**
 * Sends a request again and again over `connections` connections, each time when the reply to the one before has
 * arrived. A function builds the requests by their number. On a slow machine it goes on until one has been answered. @returns the
 * statuses of the replies, one or more
 */
export async function repeatRequest(
  target: Target,
  signal: AbortSignal,
  { request, connections }: { request: RawRequest | ((number: number) => RawRequest); connections: number },
): Promise<number[]> {
  let sent = 0;
  const build = (): Buffer => {
    const next = typeof request === 'function' ? request(sent) : request;
    sent += 1;
    return buildRequest({ ...next, headers: { Connection: 'close', ...next.headers } });
  };
  const statuses: number[] = [];
  const repeat = async (_: unknown, connection: number): Promise<void> => {
    while (!signal.aborted || (connection === 0 && statuses.length === 0)) {
      const socket = await openConnection(target, signal.aborted ? NEVER : signal);
      socket.write(build());
      let head = '';
      socket.on('data', (chunk: Buffer) => {
        if (head.length < 12) head += chunk.toString('latin1', 0, 12);
      });
      if (!socket.destroyed) await once(socket, 'close').catch(() => undefined);
      if (head !== '') statuses.push(Number(head.slice(9, 12)));
    }
  };
  await Promise.all(Array.from({ length: connections }, repeat));
  return statuses;
}

/** Waits until the time is over or the signal is aborted. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

/** Waits until the signal is aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  await pauseFor(3_600_000, signal);
}
