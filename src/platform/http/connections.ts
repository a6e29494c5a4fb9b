import type { Server, ServerResponse } from 'node:http';
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
 * Closes connections that others need. One too many closes the connection that has been idle for longest, or is refused if
 * none is idle. If too many bytes wait for clients that do not read, the connections are closed that have waited for longest.
 */
export function limitConnections(server: Server, { most, mostUnsentBytes }: ConnectionLimits): void {
  const all = new Set<Socket>();
  /** Those without a request, in the order in which they became idle. */
  const idle = new Set<Socket>();
  const pending = new WeakMap<Socket, number>();

  server.on('connection', (socket: Socket) => {
    all.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      all.delete(socket);
      idle.delete(socket);
    });
    if (all.size <= most) return;
    // The new one is the last.
    const [oldest = socket] = idle;
    oldest.destroy();
  });
  server.on('request', ({ socket }, response: ServerResponse) => {
    idle.delete(socket);
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (pending.get(socket) ?? 1) - 1;
      pending.set(socket, left);
      if (left === 0 && !socket.destroyed) idle.add(socket);
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
