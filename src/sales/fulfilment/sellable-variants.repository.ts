import type { ViewContext } from '../../catalog/product-queries/product-view';
import { buildOptionsText } from '../../catalog/variants/options-text';
import { loadVariantGraphs } from '../../catalog/variant-graph';
import type { Db } from '../../platform/database/knex';
import { queryPreparedForIds } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { OrderGraph } from '../order/order-graph';
import { findKnownVariants } from '../order/order-variants';
import { buildSellableSql } from '../order/sellable-sql';

/** A variant that the actor may add to an order. */
export interface SellableVariant {
  id: number;
  sku: string;
  /** In the order's currency; null if the variant has no price in it. */
  price: string | null;
}

/**
 * Returns what `findSellableVariants` returns for an order: from memory if the order was locked with these variants for
 * the same actor (`Wanted.added`), otherwise with its statement.
 */
export async function getSellableVariants(
  tx: Tx,
  ctx: ViewContext,
  wanted: { ids: readonly number[]; skus: readonly string[] },
  order: Pick<OrderGraph, 'variants' | 'currency'>,
): Promise<SellableVariant[]> {
  const known = wanted.skus.length > 0 ? null : findKnownVariants(order.variants, wanted.ids);
  const variants = [...(known?.values() ?? [])];
  if (known === null || variants.some(({ is_sellable }) => is_sellable === null)) {
    return findSellableVariants(tx, ctx, wanted, order.currency);
  }
  return variants.flatMap(({ is_sellable, variant: { id, sku }, order_price: price }) =>
    is_sellable === true ? [{ id, sku, price }] : [],
  );
}

/**
 * Returns the variants with these ids and SKUs that are not deleted and whose product the actor can see. The others do
 * not exist for the actor. One statement.
 */
export async function findSellableVariants(
  tx: Tx,
  ctx: ViewContext,
  wanted: { ids: readonly number[]; skus: readonly string[] },
  currency: string,
): Promise<SellableVariant[]> {
  if (wanted.ids.length === 0 && wanted.skus.length === 0) return [];
  const sellable = buildSellableSql(ctx);
  const byId = {
    name: `sellable_variants_${ctx.actor.kind}`,
    sql: (ids: string) => `${SELLABLE} ${sellable.sql} AND variants.id = ANY(${ids})`,
  };
  const bindings = [currency, ...sellable.bindings];
  if (wanted.skus.length === 0) return queryPreparedForIds(tx, byId, wanted.ids, bindings);
  const { rows } = await tx.raw<{ rows: SellableVariant[] }>(
    `${SELLABLE} ${sellable.sql}
        AND (variants.id = ANY(?::integer[]) OR (variants.sku <> '' AND variants.sku = ANY(?::text[])))`,
    [...bindings, [...wanted.ids], [...wanted.skus]],
  );
  return rows;
}

const SELLABLE = `
  SELECT variants.id, variants.sku,
         (SELECT amount FROM prices WHERE prices.variant_id = variants.id AND prices.currency = ?
             AND prices.deleted_at IS NULL) AS price
    FROM variants JOIN products ON products.id = variants.product_id
   WHERE`;

/** Returns the title of a variant for messages, such as `Shirt (Size: M, Color: Red)`; empty if it does not exist. */
export async function findVariantTitle(db: Db, variantId: number): Promise<string> {
  const [graph] = await loadVariantGraphs(db, [variantId]);
  if (graph === undefined) return '';
  const options = buildOptionsText(graph.option_values);
  return options === '' ? graph.product.name : `${graph.product.name} (${options})`;
}
