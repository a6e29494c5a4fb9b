import type { Knex } from 'knex';
import { pino, type Logger } from 'pino';
import { loadConfig, type Config } from '../config';
import type { Caller } from '../access/context';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { requireMigrated } from '../boot/migrate';
import { hasEmbedded, joinDatabase, openDatabase } from '../platform/database/open-database';
import { describeError } from '../platform/logger';
import { StartupError } from '../platform/startup-error';
import type { Io } from './cli';

/** What a command works with. */
export interface OpenStore {
  config: Config;
  db: Knex;
  log: Logger;
}

/**
 * Which database a command takes:
 * - made: the embedded one is made when there is none
 * - existing: there must be one, in whatever state
 * - alone: as existing, and no running store may be using it, as far as the embedded one can tell
 * - current: as existing, and it has all migrations
 */
export type Need = 'made' | 'existing' | 'alone' | 'current';

/** The log of tools: warnings and worse, on stderr, since stdout holds the result. */
export function toolLog(): Logger {
  return pino({ level: 'warn', base: null, serializers: { err: describeError } }, pino.destination(2));
}

/**
 * Lends `work` the store's database: the one in DATABASE_URL, or the embedded one in DATA_DIR, which is used beside a
 * running store, and otherwise started and stopped again.
 * @throws StartupError saying what to do when there is none such
 */
export async function withStore<T>(io: Io, need: Need, work: (store: OpenStore) => Promise<T>): Promise<T> {
  const config = loadConfig(io.env);
  const where = { url: config.databaseUrl, dataDir: config.dataDir };
  if (need !== 'made' && where.url === null && !hasEmbedded(where.dataDir))
    throw new StartupError(
      `There is no store in ${where.dataDir} yet: npm start makes one; or set DATA_DIR or DATABASE_URL to where yours is`,
    );
  const log = toolLog();
  const database = await (need === 'alone' ? openDatabase : joinDatabase)(where, log);
  const db = connectDatabase({ url: database.url, poolSize: 4, log, patience: 'maintenance' });
  try {
    if (need === 'current') await requireMigrated(db);
    return await work({ config, db, log });
  } finally {
    await closeDatabase(db);
    await database.stop();
  }
}

/**
 * Whoever may run programs where the store's settings are is its administrator, with or without an account. The ids are
 * nobody's; use it for accounts only, where nothing is written in the caller's name.
 */
export function asOperator(db: Knex): Caller {
  return { db, actor: { kind: 'admin', user_id: 0, email: '', token_id: 0 }, now: () => new Date() };
}
