import type { Client } from 'pg';
import { onServer } from './database';

/**
 * Runs `make` in one test file at a time, with a connection to the test server. It makes what `name` says, once per test run: it
 * must do nothing if that exists.
 */
export async function makeOncePerRun(name: string, make: (client: Client) => Promise<void>): Promise<void> {
  await onServer(async (client) => {
    // Closing the connection releases the lock.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    await make(client);
  });
}
