import { rmSync } from 'node:fs';

/** Stops the run's PostgreSQL and removes its folder. */
export default async function globalTeardown(): Promise<void> {
  const server = globalThis.testServer;
  if (server === undefined) return;
  await server.postgres.stop();
  rmSync(server.folder, { recursive: true, force: true });
}
