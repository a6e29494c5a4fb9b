import { rmSync } from 'node:fs';

/** Stops the PostgreSQL that the run has started, and removes the folder of the run. */
export default async function globalTeardown(): Promise<void> {
  const server = globalThis.testServer;
  if (server === undefined) return;
  await server.stop();
  rmSync(server.folder, { recursive: true, force: true });
}
