import { buildListView, type ViewContext } from '../../catalog/product/product-view';
import { buildVisibilitySql } from '../../catalog/product/visible-products';
import { buildOptionsText } from '../../catalog/variants/options-text';
import { loadVariantGraphs } from '../../catalog/variant-graph';
import type { Db } from '../../platform/database/knex';
import { queryPreparedForIds } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';

/** A variant that the actor may add to an order. */
export interface SellableVariant {
  id: number;
  sku: string;
  /** In the order's currency; null if the variant has no price in it. */
  price: string | null;
}

/**
 * Returns the variants with these ids and SKUs that are not deleted and whose product the actor can see. The others do
 * not exist for the actor. One statement.
 */
export async function findSellableVariants(
  tx: Tx,
  viewer: ViewContext,
  wanted: { ids: readonly number[]; skus: readonly string[] },
  currency: string,
): Promise<SellableVariant[]> {
  if (wanted.ids.length === 0 && wanted.skus.length === 0) return [];
  const visible = buildVisibilitySql(buildListView(viewer, { discontinued: true }), 'p');
  const byId = {
    name: `sellable_variants_${viewer.actor.kind}`,
    sql: (ids: string) => `${SELLABLE} AND ${visible.sql} AND v.id = ANY(${ids})`,
  };
  const bindings = [currency, ...visible.bindings];
  if (wanted.skus.length === 0) return queryPreparedForIds(tx, byId, wanted.ids, bindings);
  const { rows } = await tx.raw<{ rows: SellableVariant[] }>(
    `${SELLABLE} AND ${visible.sql}
        AND (v.id = ANY(?::integer[]) OR (v.sku <> '' AND v.sku = ANY(?::text[])))`,
    [...bindings, [...wanted.ids], [...wanted.skus]],
  );
  return rows;
}

const SELLABLE = `
  SELECT v.id, v.sku,
         (SELECT amount FROM prices WHERE prices.variant_id = v.id AND prices.currency = ?
             AND prices.deleted_at IS NULL) AS price
    FROM variants v JOIN products p ON p.id = v.product_id
   WHERE v.deleted_at IS NULL`;

/** Returns the title of a variant for messages, such as `Shirt (Size: M, Color: Red)`; empty if it does not exist. */
export async function findVariantTitle(db: Db, variantId: number): Promise<string> {
  const [graph] = await loadVariantGraphs(db, [variantId]);
  if (graph === undefined) return '';
  const options = buildOptionsText(graph.option_values);
  return options === '' ? graph.product.name : `${graph.product.name} (${options})`;
}
