import type { Logger } from 'pino';
import { loadDemo } from '../../seeds/demo';
import { loadFacts, loadReference } from '../../seeds/reference';
import { ensureAdmin, type GeneratedSecrets } from '../accounts/ensure-admin';
import { filesFolder, type Config, type SeedMode } from '../config';
import type { Deps } from '../sales/context';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { migrate } from './migrate';
import { explainMissingPrivilege } from '../platform/database/pg-errors';
import { localDisk } from '../platform/storage/local-disk';

/**
 * Makes the database one the store can be served from: migrated, with the countries and states, filled as SEED
 * says if it was empty, and with its administrator. Safe to repeat, and beside other instances doing the same.
 * @throws StartupError when the database is newer than the program, or its user may not make tables.
 */
export async function prepareStore(config: Config, url: string, log: Logger): Promise<GeneratedSecrets> {
  const db = connectDatabase({ url, poolSize: 4, log, patience: 'maintenance' });
  try {
    const storage = localDisk(filesFolder(config));
    const { migrations, demo } = await fillStore({ db, storage, log, now: () => new Date() }, config.seed);
    if (migrations.length > 0) log.info({ migrations: migrations.length }, 'the database was migrated');
    if (demo) log.info('the demo store was loaded');
    return await ensureAdmin(db, config.admin);
  } catch (error) {
    throw explainMissingPrivilege(error) ?? error;
  } finally {
    await closeDatabase(db);
  }
}

/** What `fillStore` has done; false where the store was in use already, or it was not asked for. */
export interface Filled {
  /** Names of the migrations run. */
  migrations: string[];
  reference: boolean;
  demo: boolean;
}

/**
 * Migrates, loads the countries and states, and fills an empty store with what `seed` says; the demo store comes without
 * its orders (`loadDemoOrders`). Safe to repeat, and beside other instances doing the same. `db` needs patience 'maintenance'.
 */
export async function fillStore(
  deps: Pick<Deps, 'db' | 'storage' | 'now' | 'log'>,
  seed: SeedMode,
): Promise<Filled> {
  const migrations = await migrate(deps.db);
  await loadFacts(deps.db);
  const reference = seed !== 'none' && (await loadReference(deps.db));
  const demo = seed === 'demo' && (await loadDemo(deps));
  return { migrations, reference, demo };
}
