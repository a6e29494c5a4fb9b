import { Agent, createServer, type Server } from 'node:http';
import type { Express } from 'express';

/** Keeps the connections between the requests of a file. */
export const agent = new Agent({ keepAlive: true });

const servers = new Map<Express, Promise<Server>>();

/** Returns a server of the application, which listens until the end of the file. Supertest would start one for each request. */
export function serve(app: Express): Promise<Server> {
  let server = servers.get(app);
  if (server === undefined) servers.set(app, (server = start(app)));
  return server;
}

async function start(app: Express): Promise<Server> {
  // Without a limit for idle connections: a request could be sent at the moment of the end of its connection.
  const server = createServer({ keepAliveTimeout: 0 }, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Closes the servers and connections of the file. Called by each-file.ts. */
export async function closeServers(): Promise<void> {
  agent.destroy();
  for (const server of await Promise.all(servers.values())) {
    server.close();
    server.closeAllConnections();
  }
}
