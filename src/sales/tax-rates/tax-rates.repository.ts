import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { taxRateSearch } from './tax-rates.search';

export interface TaxRateRow {
  id: number;
  name: string | null;
  /** A fraction as decimal string. */
  amount: string;
  zone_id: number | null;
  tax_category_id: number;
  included_in_price: boolean;
  show_rate_in_label: boolean;
}

export type TaxRateValues = Omit<TaxRateRow, 'id'>;

const COLUMNS = [
  'tax_rates.id',
  'tax_rates.name',
  'tax_rates.amount',
  'tax_rates.zone_id',
  'tax_rates.tax_category_id',
  'tax_rates.included_in_price',
  'tax_rates.show_rate_in_label',
] as const;

/** Those that were not deleted. */
const live = (db: Db) => db('tax_rates').whereNull('tax_rates.deleted_at');

/** One page of the rates that were not deleted. */
export async function findTaxRatePage(db: Db, list: ListQuery): Promise<Page<TaxRateRow>> {
  const matching = applyFilters(live(db), list, taxRateSearch);
  const rows = await applySortAndPage(matching.clone().select<TaxRateRow[]>(COLUMNS), list, taxRateSearch);
  return pageOf(rows, await countAll(matching, rows.length, list), list);
}

/** Undefined also when it was deleted. */
export async function findTaxRate(db: Db, id: number): Promise<TaxRateRow | undefined> {
  return live(db)
    .where({ id })
    .first<TaxRateRow | undefined>([...COLUMNS]);
}

/** @returns the new id @throws tax_rates_zone_id_fkey */
export async function insertTaxRate(tx: Tx, rate: TaxRateValues): Promise<number> {
  const rows = await tx('tax_rates').insert(rate).returning<{ id: number }[]>('id');
  return returnedRow(rows).id;
}

/** @throws tax_rates_zone_id_fkey */
export async function updateTaxRate(tx: Tx, id: number, patch: Partial<TaxRateValues>): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('tax_rates').where({ id }).update(patch);
}

/** The row stays: adjustments of completed orders name it. @returns how many there were to delete */
export async function markTaxRateDeleted(tx: Tx, id: number, at: Date): Promise<number> {
  return live(tx).where({ id }).update({ deleted_at: at });
}
