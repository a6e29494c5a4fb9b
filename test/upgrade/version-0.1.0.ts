import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { testDatabaseUrl } from '../setup/test-server';
import { createEmptyDatabase } from '../support/database';

/**
 * Creates a database of version 0.1.0, the last one before the baseline of migrations, with a store of 27 orders.
 * @returns its URL
 */
export async function createVersion010(name: string): Promise<string> {
  await createEmptyDatabase(name);
  const url = testDatabaseUrl(name);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(gunzipSync(readFileSync(path.join(__dirname, 'version-0.1.0.sql.gz'))).toString());
  await client.end();
  return url;
}
