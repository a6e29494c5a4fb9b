import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { loadDemo } from '../../seeds/demo';
import { loadFacts, loadReference } from '../../seeds/reference';
import { findDefaultStore } from '../accounts/stores/stores.repository';
import { ensureAdmin, type GeneratedSecrets } from '../accounts/ensure-admin';
import type { Config, SeedMode } from '../config';
import type { Deps } from '../sales/context';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { SERVER_STATE, type ServerState } from '../platform/database/hosts';
import { migrate, requireMigrated } from './migrate';
import { StartupError } from '../platform/startup-error';
import { explainMissingPrivilege } from '../platform/database/pg-errors';
import { createStorage, requireBucket } from './storage';

/**
 * Prepares the database for the store: runs migrations, loads countries and states, loads the seed data that SEED
 * selects if the store is empty, and ensures the administrator. Safe to repeat, and to run on several instances at
 * once.
 * @param shopUrl the address of the shop, for links of the demo store; null if it is unknown
 * @throws StartupError if the database refuses writes or is newer than the program, or its user may not create tables
 */
export async function prepareStore(
  config: Config,
  url: string,
  log: Logger,
  shopUrl: string | null = null,
): Promise<GeneratedSecrets> {
  const db = connectDatabase({ url, poolSize: 4, log, timeouts: 'maintenance' });
  try {
    await requireWritable(db);
    await requireBucket(config, log);
    const storage = createStorage(config);
    const migrations = await migrate(db);
    const { demo } = await fillStore({ db, storage, log, now: () => new Date() }, config.seed, shopUrl);
    if (migrations.length > 0) log.info({ migrations: migrations.length }, 'migrations run');
    if (demo) log.info('demo store loaded');
    await warnWithoutStore(db, log);
    return await ensureAdmin(db, config.admin);
  } catch (error) {
    throw explainMissingPrivilege(error) ?? error;
  } finally {
    await closeDatabase(db);
  }
}

/** Warns if there is no store, whose currency all prices would have. */
export async function warnWithoutStore(db: Knex, log: Logger): Promise<void> {
  if ((await findDefaultStore(db)) !== undefined) return;
  log.warn(
    'there is no store: prices are in USD until POST /api/v1/stores creates one with another currency; do it before adding products',
  );
}

/** @throws StartupError if the database refuses writes */
async function requireWritable(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: ServerState[] }>(SERVER_STATE);
  if (rows[0]?.is_standby === true)
    throw new StartupError(
      'The database is a standby, which refuses writes: name the primary in DATABASE_URL, or all hosts with ?target_session_attrs=read-write, or set READ_ONLY=true',
    );
  if (rows[0]?.is_read_only === true)
    throw new StartupError(
      'The database refuses writes (default_transaction_read_only is on): switch the setting off, or set READ_ONLY=true',
    );
}

/**
 * Checks that the database has the migrations of this program, for a store that may not write.
 * @throws MigrationsPendingError, MigrationsAheadError
 */
export async function requirePreparedStore(
  _config: Config,
  url: string,
  log: Logger,
): Promise<GeneratedSecrets> {
  const db = connectDatabase({ url, poolSize: 1, log, timeouts: 'maintenance', isReadOnly: true });
  try {
    await requireMigrated(db);
    return { password: null, token: null };
  } finally {
    await closeDatabase(db);
  }
}

/** The result of `fillStore`; false for data that was not requested or not loaded because the store is not empty. */
export interface FillResult {
  reference: boolean;
  demo: boolean;
}

/**
 * Loads countries and states, and the seed data for `seed` into an empty store. All migrations must have run. Demo orders are
 * not included (`loadDemoOrders`). Safe to repeat, and to run on several instances at once. `db` needs timeouts
 * 'maintenance'.
 */
export async function fillStore(
  deps: Pick<Deps, 'db' | 'storage' | 'now' | 'log'>,
  seed: SeedMode,
  shopUrl: string | null = null,
): Promise<FillResult> {
  await loadFacts(deps.db);
  const reference = seed !== 'none' && (await loadReference(deps.db));
  const demo = seed === 'demo' && (await loadDemo(deps, shopUrl));
  return { reference, demo };
}
