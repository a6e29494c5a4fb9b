import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { migrate } from '../src/boot/migrate';
import { startEmbeddedPostgres } from '../src/platform/database/embedded';
import { closeDatabase, connectDatabase } from '../src/platform/database/knex';
import { describeSchema } from './schema-text';

const FILE = path.resolve(__dirname, '../migrations/schema.sql');

/** Runs all migrations in an empty database and writes its schema (`npm run schema`). */
async function main(): Promise<void> {
  const log = pino({ level: 'warn' });
  const dataDir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'store-schema-')));
  const postgres = await startEmbeddedPostgres({ dataDir, log, fast: true });
  try {
    const db = connectDatabase({ url: postgres.url, poolSize: 2, log, timeouts: 'maintenance' });
    await migrate(db);
    await writeFile(FILE, await describeSchema(db));
    await closeDatabase(db);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
