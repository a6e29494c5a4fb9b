import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../startup-error';
import { limitChunks } from './body-chunks';
import { CONNECTION_LIMITS, limitConnections, type ConnectionLimits } from './connections';
import type { MessageClasses } from './message-classes';
import { handleInTurn } from './pipelining';

export interface HttpServer {
  /** The URL of the server on this machine. */
  url: string;
  /** Replaces the handler, for the next requests of all connections. */
  handleWith: (handler: RequestListener) => void;
  /**
   * After the shutdown delay, stops accepting connections and completes the accepted requests, including those whose
   * bodies are still arriving. Closes the remaining connections after about six seconds. Repeatable.
   */
  stop: () => Promise<void>;
}

export interface ListenOptions {
  handler: RequestListener;
  host: string;
  port: number;
  /** Defaults to those of Node.js. */
  messageClasses?: MessageClasses;
  /** Milliseconds between the call of `stop` and the closing of the port. Defaults to 0. */
  shutdownDelayMs?: number;
  /** Defaults to `CONNECTION_LIMITS`. */
  limits?: ConnectionLimits;
}

/** In milliseconds. */
const TIMEOUTS = {
  /** From the first byte to the end of the headers. */
  headersTimeout: 10_000,
  /** From the first byte to the end of the body. */
  requestTimeout: 60_000,
  /**
   * Between two requests. Longer than the idle timeout of common proxies, because the proxy should close the
   * connection.
   */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** The timeout of a connection without traffic, such as that of a client that does not read its reply. */
const SILENT_SOCKET_MS = 120_000;

/**
 * The time limits of `stopServer` after the delay, in the order of its steps. Together they are below the process limit
 * of ten seconds.
 */
const STOPPING_MS = { idle: 500, deadline: 4_500, final: 300 };

/**
 * Starts the server. Resolves when it accepts connections.
 * @throws StartupError if the address cannot be used
 */
export async function listen({
  handler,
  host,
  port,
  messageClasses = {},
  limits = CONNECTION_LIMITS,
  shutdownDelayMs = 0,
}: ListenOptions): Promise<HttpServer> {
  const server = createServer({ ...TIMEOUTS, ...messageClasses });
  server.setTimeout(SILENT_SOCKET_MS);
  server.on('clientError', rejectMalformed);
  limitConnections(server, limits);
  const traffic = watchTraffic(server);
  let current = handler;
  server.on('request', limitChunks);
  server.on(
    'request',
    handleInTurn((request, response) => current(request, response)),
  );
  await bind(server, host, port);
  // A TCP server's address is never a string or null while it listens.
  const { port: boundPort } = server.address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopServer(server, traffic, shutdownDelayMs));
  const handleWith = (next: RequestListener) => {
    current = next;
  };
  return { url: buildUrl(host, boundPort), handleWith, stop };
}

/**
 * Checks that the port is free, so that the start fails before any slow work.
 * @throws StartupError like `listen`
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  await bind(server, host, port);
  await new Promise((resolve) => server.close(resolve));
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)));
    server.listen({ host, port }, resolve);
  });
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartupError(
      `Port ${port} on ${host} is in use: stop the program that uses it, or set another PORT`,
    );
  if (error.code === 'EACCES')
    return new StartupError(`This user may not open port ${port}: set PORT to 1024 or higher`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new StartupError(
      `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0`,
    );
  return error;
}

/** Returns the URL of a server on this machine. */
export function buildUrl(host: string, port: number): string {
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

interface Traffic {
  sockets: Set<Socket>;
  /** The number of accepted connections. */
  accepted: number;
  /** Replies that are not complete. */
  pending: Set<ServerResponse>;
  isStopping: boolean;
}

function watchTraffic(server: Server): Traffic {
  const traffic: Traffic = { sockets: new Set(), accepted: 0, pending: new Set(), isStopping: false };
  server.on('connection', (socket: Socket) => {
    traffic.accepted += 1;
    traffic.sockets.add(socket);
    socket.once('close', () => traffic.sockets.delete(socket));
  });
  server.on('request', (_request, response: ServerResponse) => {
    traffic.pending.add(response);
    response.once('close', () => traffic.pending.delete(response));
    if (traffic.isStopping) response.setHeader('Connection', 'close');
  });
  return traffic;
}

async function stopServer(server: Server, traffic: Traffic, delayMs: number): Promise<void> {
  // Gives load balancers time to notice that the server is not ready. Connections stay open: clients would reconnect
  // immediately and be in the queue of the listening socket when it closes.
  await delay(delayMs);
  await waitForQuietTurn(traffic);
  // Closes only the TCP server: the HTTP server would also close idle connections on which a request is arriving.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));

  traffic.isStopping = true;
  for (const response of traffic.pending)
    if (!response.headersSent) response.setHeader('Connection', 'close');
  await waitFor(closed, STOPPING_MS.idle);
  server.closeIdleConnections();
  // HTTP does not count connections without any request as idle.
  for (const socket of traffic.sockets) if (socket.bytesRead === 0) socket.destroy();

  await waitFor(closed, STOPPING_MS.deadline);
  for (const response of traffic.pending) rejectUnfinished(response);
  await waitFor(closed, STOPPING_MS.final);
  server.closeAllConnections();
  await closed;
}

/** Waits until all connections have ended, up to `ms` milliseconds. */
async function waitFor(closed: Promise<void>, ms: number): Promise<void> {
  const limit = new AbortController();
  await Promise.race([closed, delay(ms, undefined, { signal: limit.signal }).catch(() => undefined)]);
  limit.abort();
}

/**
 * Waits for a short turn of the event loop without new connections. Closing the listening socket resets connections
 * that the kernel has accepted and the process has not.
 */
async function waitForQuietTurn(traffic: Traffic): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    const { accepted } = traffic;
    const started = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (traffic.accepted === accepted && performance.now() - started < 1) return;
  }
}

/** Replies 408 to a client that has not finished sending its body. */
function rejectUnfinished(response: ServerResponse): void {
  if (response.headersSent || response.req.complete) return;
  const body = JSON.stringify({ error: 'The service is restarting. Please try again.' });
  response.writeHead(408, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Error-Code': 'request_timeout',
    Connection: 'close',
  });
  response.end(body);
}

interface MalformedReply {
  status: string;
  code: string;
  text: string;
}

const NOT_HTTP: MalformedReply = {
  status: '400 Bad Request',
  code: 'bad_request',
  text: 'The request is not valid HTTP.',
};

const MALFORMED: Record<string, MalformedReply> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
    text: 'The request headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    text: 'The request took too long.',
  },
};

/** Replies in JSON to data that is not valid HTTP. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, text } = MALFORMED[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ error: text });
  const headers = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Error-Code: ${code}`,
    'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
