import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { testDatabaseUrl } from '../setup/test-server';
import { createEmptyDatabase } from '../support/database';

/**
 * Creates a database of the first version: its schema, and a store whose 27 orders were made through its API.
 * @returns its URL
 */
export async function createFirstVersion(name: string): Promise<string> {
  await createEmptyDatabase(name);
  const url = testDatabaseUrl(name);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(gunzipSync(readFileSync(path.join(__dirname, 'first-version.sql.gz'))).toString());
  await client.end();
  return url;
}
