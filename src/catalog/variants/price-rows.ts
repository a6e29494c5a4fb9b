import { buildFailure, type RowOutcome } from '../../platform/batch';
import type { Tx } from '../../platform/database/transaction';
import { compareDecimals } from '../../platform/money';
import { lockProductRows } from '../product-queries/products.repository';
import { buildUnknownVariant, findNamedVariants } from './named-variants.repository';
import type { PriceRow } from './price-rows.schema';
import { loadCurrentPrices, upsertPrices, variantRecords } from './variants.repository';

/**
 * Sets prices and cost prices in a constant number of statements. Of several rows for one price the last wins. Rows
 * with errors change nothing; the others apply. Locks the products by id.
 * @returns the outcome of each row, with the id of its variant
 */
export async function applyPriceRows(tx: Tx, rows: readonly PriceRow[]): Promise<RowOutcome[]> {
  const findVariant = await findNamedVariants(tx, rows);
  const named = rows.map((row) => ({ row, variant: findVariant(row) }));
  await lockProductRows(tx, named.flatMap(({ variant }) => variant?.product_id ?? [])); // prettier-ignore
  const ids = [...new Set(named.flatMap(({ variant }) => variant?.id ?? []))];
  const { currency: storeCurrency, variants } = await loadCurrentPrices(tx, ids);

  const prices = new Map<string, { variant_id: number; amount: string; currency: string }>();
  const costs = new Map<number, string | null>();
  const outcomes = named.map(({ row, variant }): RowOutcome => {
    const current = variant && variants.get(variant.id);
    if (variant === undefined || current === undefined) return buildFailure(buildUnknownVariant(row));
    const { id } = variant;
    const currency = row.currency == null || row.currency === '' ? storeCurrency : row.currency;
    let status: 'changed' | 'unchanged' = 'unchanged';
    if (!isSameAmount(current.amounts[currency], row.price)) {
      current.amounts[currency] = row.price;
      prices.set(`${id} ${currency}`, { variant_id: id, amount: row.price, currency });
      status = 'changed';
    }
    if (row.cost_price !== undefined && !isSameAmount(current.cost_price, row.cost_price)) {
      current.cost_price = row.cost_price;
      costs.set(id, row.cost_price);
      status = 'changed';
    }
    return { status, id };
  });
  await upsertPrices(tx, [...prices.values()]);
  await variantRecords.updateEach(
    tx,
    [...costs].map(([id, cost_price]) => ({ id, columns: { cost_price } })),
  );
  return outcomes;
}

/** Returns whether two amounts are equal by value; null and undefined stand for none. */
function isSameAmount(one: string | null | undefined, other: string | null | undefined): boolean {
  if (one == null || other == null) return one == null && other == null;
  return compareDecimals(one, other) === 0;
}
