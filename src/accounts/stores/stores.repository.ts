import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { Store, type StoreRow } from './stores.definition';

export const storeRecords = createRecords(Store);

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

/** Blocks other writers of stores until the transaction ends, so that the default can be replaced. */
export async function lockStores(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE stores IN SHARE ROW EXCLUSIVE MODE');
}

/** Clears the default store. The caller sets another one in the same transaction. */
export async function clearDefault(tx: Tx): Promise<void> {
  await tx('stores').where({ is_default: true }).update({ is_default: false });
}

/** Returns whether the store has issued invoices or credit notes. */
export async function hasDocuments(tx: Tx, id: number): Promise<boolean> {
  return hasRow(tx('documents').where({ store_id: id }).select('id'));
}
