import { loadVariantGraphs, type VariantGraph } from '../../catalog/variant-graph';
import type { Db } from '../../platform/database/knex';
import { countCommittedUnits } from '../committed-units.repository';
import { buildPlaceKey } from '../stock-place';
import type { StockItemRow } from './stock-items.repository';

/** A stock item with its variant. */
export interface StockItemGraph extends StockItemRow {
  variant: VariantGraph;
  /** The units that are sold and not shipped; 0 for a deleted item. */
  committed: number;
}

/**
 * Loads the variants and the committed units of these stock items. Keeps the order of `items`. Five statements for any
 * number of items.
 */
export async function attachVariants(db: Db, items: readonly StockItemRow[]): Promise<StockItemGraph[]> {
  const graphs = await loadVariantGraphs(
    db,
    items.map((item) => item.variant_id),
  );
  const committed = await countCommittedUnits(db, items);
  const byId = new Map(graphs.map((graph) => [graph.variant.id, graph]));
  return items.flatMap((item) => {
    const variant = byId.get(item.variant_id);
    if (variant === undefined) return [];
    const units = item.deleted_at === null ? (committed.get(buildPlaceKey(item)) ?? 0) : 0;
    return [{ ...item, variant, committed: units }];
  });
}
