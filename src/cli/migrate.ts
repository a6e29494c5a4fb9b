import { loadConfig } from '../config';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { migrate, rollback } from '../platform/database/migrate';
import { openDatabase } from '../platform/database/open-database';
import { createLogger } from '../platform/logger';
import { reportStartFailure, StartupError } from '../platform/startup-error';

const COMMANDS = { up: migrate, down: rollback };

/**
 * `npm run migrate` brings the database up to date, as every start does; `npm run migrate:down` takes the last run
 * back. With the embedded database the store itself must not be running: its folder belongs to one process.
 */
async function main(): Promise<void> {
  const command = process.argv[2];
  if (command !== 'up' && command !== 'down')
    throw new StartupError('Usage: npm run migrate, or npm run migrate:down');
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, format: config.logFormat });
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  const db = connectDatabase({ url: database.url, poolSize: 2, log, patience: 'maintenance' });
  try {
    const done = await COMMANDS[command](db);
    for (const name of done) process.stdout.write(`${command} ${name}\n`);
    if (done.length === 0) process.stdout.write('nothing to do\n');
  } finally {
    await closeDatabase(db);
    await database.stop();
  }
}

main().catch(reportStartFailure);
