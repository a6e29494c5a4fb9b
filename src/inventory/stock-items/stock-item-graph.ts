import { loadVariantGraphs, type VariantGraph } from '../../catalog/variant-graph';
import type { Db } from '../../platform/database/knex';
import type { StockItemRow } from './stock-items.repository';

/** A stock item with its variant. */
export interface StockItemGraph extends StockItemRow {
  variant: VariantGraph;
}

/** Loads the variants of these stock items. Keeps the order of `items`. Four statements for any number of items. */
export async function attachVariants(db: Db, items: readonly StockItemRow[]): Promise<StockItemGraph[]> {
  const graphs = await loadVariantGraphs(
    db,
    items.map((item) => item.variant_id),
  );
  const byId = new Map(graphs.map((graph) => [graph.variant.id, graph]));
  return items.flatMap((item) => {
    const variant = byId.get(item.variant_id);
    return variant === undefined ? [] : [{ ...item, variant }];
  });
}
