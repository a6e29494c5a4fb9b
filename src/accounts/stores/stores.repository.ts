import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { createSingleDefault } from '../../platform/resource/single-default';
import { Store, type StoreRow } from './stores.definition';

export const storeRecords = createRecords(Store);

export const defaultStore = createSingleDefault('stores', 'is_default');

/** Returns all stores, by id. */
export async function findStores(db: Db): Promise<StoreRow[]> {
  return db('stores')
    .select<StoreRow[]>([...Store.columns])
    .orderBy('id');
}

/** Returns the default store; undefined before the first store is created. */
export async function findDefaultStore(db: Db): Promise<StoreRow | undefined> {
  return db('stores')
    .where({ is_default: true })
    .first<StoreRow | undefined>([...Store.columns]);
}

/** Returns whether the store has issued invoices or credit notes. */
export async function hasDocuments(tx: Tx, id: number): Promise<boolean> {
  return hasRow(tx('documents').where({ store_id: id }).select('id'));
}

/** Whether PostgreSQL has this name of a time zone. It also accepts abbreviations, which mean others: its `IST` is Israel's. */
export async function isTimeZoneOfDatabase(tx: Tx, name: string): Promise<boolean> {
  return hasRow(tx('pg_timezone_names').whereRaw('lower(name) = lower(?)', [name]).select('name'));
}
