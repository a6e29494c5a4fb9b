import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What the connections of a server may take together. */
export interface ConnectionLimits {
  /** The number of connections. */
  most: number;
  /** The bytes of replies that clients have not read yet. */
  mostUnsentBytes: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { most: 4_096, mostUnsentBytes: 64 * 1024 * 1024 };

const CHECK_MS = 1_000;

/**
 * Closes connections that others need. One too many closes a connection of the address that has most of them: the one that has been
 * idle for longest, or else waits for its client for longest, which has not sent all of its body or does not read the reply. Without
 * any, the same of another address; then the new one is refused. If too many bytes wait for clients that do not read, the connections
 * are closed that have waited for longest.
 */
export function limitConnections(server: Server, { most, mostUnsentBytes }: ConnectionLimits): void {
  const all = new Set<Socket>();
  /** Those without a request, in the order in which they became idle. */
  const idle = new Set<Socket>();
  /** The last requests of the others, in the order in which their connections ceased to be idle. */
  const busy = new Map<Socket, IncomingMessage>();
  const pending = new WeakMap<Socket, number>();
  const addresses = new Map<string, number>();
  const addressOf = new WeakMap<Socket, string>();

  const count = (address: string, change: 1 | -1): void => {
    const connections = (addresses.get(address) ?? 0) + change;
    if (connections === 0) addresses.delete(address);
    else addresses.set(address, connections);
  };
  const findBusiestAddress = (): string => {
    let [busiest, mostOfOne] = ['', 0];
    for (const [address, connections] of addresses)
      if (connections > mostOfOne) [busiest, mostOfOne] = [address, connections];
    return busiest;
  };
  const findIdle = (accepts: (socket: Socket) => boolean): Socket | undefined => {
    for (const socket of idle) if (accepts(socket)) return socket;
    for (const [socket, request] of busy)
      if ((!request.complete || socket.writableLength > 0) && accepts(socket)) return socket;
    return undefined;
  };

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    addressOf.set(socket, address);
    count(address, 1);
    all.add(socket);
    socket.once('close', () => {
      count(address, -1);
      all.delete(socket);
      idle.delete(socket);
      busy.delete(socket);
    });
    if (all.size > most) {
      const busiest = findBusiestAddress();
      const surplus = findIdle((one) => addressOf.get(one) === busiest) ?? findIdle(() => true) ?? socket;
      surplus.destroy();
    }
    if (!socket.destroyed) idle.add(socket);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    idle.delete(socket);
    busy.set(socket, request);
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (pending.get(socket) ?? 1) - 1;
      pending.set(socket, left);
      if (left > 0) return;
      busy.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  });

  /** Those with bytes that are not sent, in the order in which that was noticed. */
  const unread = new Set<Socket>();
  const check = setInterval(() => {
    let total = 0;
    for (const socket of all) {
      total += socket.writableLength;
      if (socket.writableLength > 0) unread.add(socket);
    }
    for (const socket of unread) {
      if (socket.destroyed || socket.writableLength === 0) unread.delete(socket);
      else if (total > mostUnsentBytes) {
        total -= socket.writableLength;
        socket.destroy();
      }
    }
  }, CHECK_MS).unref();
  server.once('close', () => clearInterval(check));
}
