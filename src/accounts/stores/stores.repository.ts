import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';

export interface StoreRow {
  id: number;
  name: string;
  url: string;
  code: string;
  mail_from_address: string;
  meta_description: string | null;
  meta_keywords: string | null;
  seo_title: string | null;
  is_default: boolean;
  currency: string;
  default_country_id: number | null;
  track_inventory_levels: boolean;
  auto_capture: boolean;
  auto_capture_on_dispatch: boolean;
  tax_using_ship_address: boolean;
  created_at: Date;
  updated_at: Date;
}

export type StoreValues = Omit<StoreRow, 'id' | 'created_at' | 'updated_at'>;

/** The columns with a default of their own, which may be left out of a new store. */
type Defaulted =
  | 'is_default'
  | 'currency'
  | 'track_inventory_levels'
  | 'auto_capture'
  | 'auto_capture_on_dispatch'
  | 'tax_using_ship_address';

export type NewStore = Omit<StoreValues, Defaulted> & Partial<Pick<StoreValues, Defaulted>>;

/** All of them, by id: a shop has a handful. */
export async function findStores(db: Db): Promise<StoreRow[]> {
  return db<StoreRow>('stores').select('*').orderBy('id');
}

/** The store of that id, the default or not. */
export async function findStore(db: Db, id: number): Promise<StoreRow | undefined> {
  return db<StoreRow>('stores').where({ id }).first();
}

/** The store whose settings are in force; none before the first one is made. */
export async function findDefaultStore(db: Db): Promise<StoreRow | undefined> {
  return db<StoreRow>('stores').where({ is_default: true }).first();
}

/** Keeps others from writing stores until the transaction ends; only then can one take over being the default. */
export async function lockStores(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE stores IN SHARE ROW EXCLUSIVE MODE');
}

/** Leaves no default store: whoever calls it makes another one in the same transaction. */
export async function clearDefault(tx: Tx): Promise<void> {
  await tx('stores').where({ is_default: true }).update({ is_default: false });
}

/** @returns the new id */
export async function insertStore(tx: Tx, store: NewStore): Promise<number> {
  const rows = await tx('stores').insert(store).returning<{ id: number }[]>('id');
  return returnedRow(rows).id;
}

/** Writes the columns that are named. @throws stores_code_unique */
export async function updateStore(tx: Tx, id: number, patch: Partial<StoreValues>): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('stores').where({ id }).update(patch);
}

/** Fine when there is none. */
export async function deleteStore(tx: Tx, id: number): Promise<void> {
  await tx('stores').where({ id }).delete();
}
