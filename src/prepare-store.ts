import path from 'node:path';
import type { Logger } from 'pino';
import { loadDemo } from '../seeds/demo';
import { loadFacts, loadReference } from '../seeds/reference';
import { ensureAdmin, type GeneratedSecrets } from './accounts/ensure-admin';
import type { Config } from './config';
import { closeDatabase, connectDatabase } from './platform/database/knex';
import { migrate } from './platform/database/migrate';
import { isPgError } from './platform/database/pg-errors';
import { StartupError } from './platform/startup-error';
import { localDisk } from './platform/storage/local-disk';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Makes the database one the store can be served from: migrated, with the countries and states, filled as SEED
 * says if it was empty, and with its administrator. Safe to repeat, and beside other instances doing the same.
 * @throws StartupError when the database is newer than the program, or its user may not make tables.
 */
export async function prepareStore(config: Config, url: string, log: Logger): Promise<GeneratedSecrets> {
  const db = connectDatabase({ url, poolSize: 4, log, patience: 'maintenance' });
  try {
    const migrated = await migrate(db);
    if (migrated.length > 0) log.info({ migrations: migrated.length }, 'the database was migrated');
    await loadFacts(db);
    if (config.seed !== 'none') await loadReference(db);
    if (config.seed === 'demo') {
      const storage = localDisk(path.join(config.dataDir, 'files'));
      if (await loadDemo({ db, storage, log, now: () => new Date() })) log.info('the demo store was loaded');
    }
    return await ensureAdmin(db, config.admin);
  } catch (error) {
    if (isPgError(error) && error.code === INSUFFICIENT_PRIVILEGE)
      throw new StartupError(
        `The database user may not set the store up (${error.message.split(' - ').at(-1) ?? ''}): grant it CREATE on the database and the schema`,
      );
    throw error;
  } finally {
    await closeDatabase(db);
  }
}
