import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay in front of PostgreSQL that counts how often a client waits for it. */
export interface CountingProxy {
  /** The URL of the database behind it. */
  url: string;
  /** Returns the number of round trips so far: batches of messages that were sent after a reply. */
  waits: () => number;
  close: () => Promise<void>;
}

/** Starts a relay on a free port of 127.0.0.1. */
export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let waits = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let wasServer = true;
    client.on('data', () => {
      if (wasServer) waits += 1;
      wasServer = false;
    });
    upstream.on('data', () => {
      wasServer = true;
    });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a TCP server is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    waits: () => waits,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
