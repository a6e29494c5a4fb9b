import type { Knex } from 'knex';
import { pino, type Logger } from 'pino';
import { loadConfig, type Config } from '../config';
import type { AccountsCtx } from '../access/context';
import { buildProgramActor } from '../access/actor';
import { buildProgramAuthor } from '../access/authors';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { requireMigrated } from '../boot/migrate';
import {
  hasEmbedded,
  joinDatabase,
  openDatabase,
  type DatabasePlace,
} from '../platform/database/open-database';
import { describeError } from '../platform/logger';
import { StartupError } from '../platform/startup-error';
import type { Io } from './cli';

/** The configuration, database and log of a command. */
export interface OpenStore {
  config: Config;
  db: Knex;
  /** Contains the password. */
  url: string;
  log: Logger;
}

/**
 * The database that a command needs:
 * - created: the embedded database is created if it does not exist
 * - existing: the database must exist, in any state
 * - exclusive: as existing, and no running store may use the embedded database; this is not checked for an external one
 * - migrated: as existing, and all migrations must have run
 */
export type DatabaseNeed = 'created' | 'existing' | 'exclusive' | 'migrated';

/** Creates the log of a command: warnings and errors, on stderr, because stdout contains the result. */
export function createCommandLog(): Logger {
  return pino({ level: 'warn', base: null, serializers: { err: describeError } }, pino.destination(2));
}

/**
 * Runs `work` with the store's database: the one in DATABASE_URL, or the embedded one in DATA_DIR. The embedded
 * database is shared with a running store, or else started and stopped again.
 * @throws StartupError if there is no such database; the message says what to do
 */
export async function withStore<T>(
  io: Io,
  need: DatabaseNeed,
  work: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const config = loadConfig(io.env);
  const where: DatabasePlace = {
    url: config.databaseDirectUrl ?? config.databaseUrl,
    dataDir: config.dataDir,
    setting: config.databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL',
  };
  if (need !== 'created' && where.url === null && !hasEmbedded(where.dataDir))
    throw new StartupError(
      `there is no store in ${where.dataDir}; run npm start to create one, or set DATA_DIR or DATABASE_URL`,
    );
  const log = createCommandLog();
  const database = await (need === 'exclusive' ? openDatabase : joinDatabase)(where, log);
  const db = connectDatabase({
    url: database.url,
    poolSize: 4,
    log,
    timeouts: 'maintenance',
    role: 'command',
  });
  try {
    if (need === 'migrated') await requireMigrated(db);
    return await work({ config, db, url: database.url, log });
  } finally {
    await closeDatabase(db);
    await database.stop();
  }
}

/** The author of the changes of commands, for the audit log. */
export const COMMAND_LINE = buildProgramAuthor('command line');

/**
 * Creates an admin without an account, for commands: anyone who can run programs with the store's settings is an
 * administrator. The ids belong to no user, so use it only for accounts, where no row refers to the actor.
 */
export function createOperator(db: Knex): AccountsCtx {
  return {
    db,
    actor: buildProgramActor(),
    author: COMMAND_LINE,
    now: () => new Date(),
  };
}
