import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A relay in front of a server, which a test can cut and restore. */
export interface Relay {
  port: number;
  /** Ends its connections and refuses new ones. */
  cut: () => Promise<void>;
  /** Accepts connections again, at the same port. */
  restore: () => Promise<void>;
}

/**
 * Starts a relay to a server of this machine. `cut` it at the end.
 * @param target the port of the server; a function is called for each connection
 */
export async function startRelay(target: number | (() => number)): Promise<Relay> {
  const getPort = typeof target === 'number' ? () => target : target;
  const open = new Set<Socket>();
  const start = (wanted: number): Promise<Server> =>
    new Promise((resolve, reject) => {
      const listener = createServer((client) => {
        const server = connect(getPort(), '127.0.0.1');
        for (const socket of [client, server]) {
          open.add(socket);
          socket.on('error', () => undefined);
          socket.once('close', () => {
            open.delete(socket);
            client.destroy();
            server.destroy();
          });
        }
        client.pipe(server).pipe(client);
      });
      listener.once('error', reject);
      listener.listen(wanted, '127.0.0.1', () => resolve(listener));
    });
  let server = await start(0);
  const { port } = server.address() as AddressInfo; // listens on TCP
  return {
    port,
    cut: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
    restore: async () => {
      server = await start(port);
    },
  };
}
