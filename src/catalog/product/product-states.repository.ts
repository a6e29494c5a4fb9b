import type { Db } from '../../platform/database/knex';
import { queryPreparedForIds, type PreparedForIds } from '../../platform/database/prepared';

/** The stock of a variant at all active locations. */
export interface VariantStock {
  variant_id: number;
  count_on_hand: number;
  /** Whether any item is backorderable. */
  backorderable: boolean;
}

/** What the JSON of a product depends on: it changes only if the version, the shared revision or the stock changes. */
export interface ProductState {
  id: number;
  /** Increases with every change of the product and its nested records, except stock. A bigint as text. */
  version: string;
  /** Changes with the records that products share: option types, properties, taxons, stores. A bigint as text. */
  shared_revision: string;
  /** The stock of the master and of every variant that is not deleted. */
  stock: VariantStock[];
}

/** The columns of a product's state, for a statement that reads `products`. */
export const PRODUCT_STATE = `products.id, products.version,
  (SELECT COALESCE(sum(n), 0) FROM catalog_revisions WHERE kind = 'shared') AS shared_revision,
  (SELECT json_agg(json_build_object('variant_id', held.id, 'count_on_hand', held.count_on_hand,
            'backorderable', held.backorderable))
   FROM (
     SELECT variants.id, COALESCE(sum(items.count_on_hand), 0) AS count_on_hand,
       COALESCE(bool_or(items.backorderable), false) AS backorderable
     FROM variants
     LEFT JOIN (
       stock_items AS items JOIN stock_locations
         ON stock_locations.id = items.stock_location_id AND stock_locations.active AND stock_locations.deleted_at IS NULL
     ) ON items.variant_id = variants.id AND items.deleted_at IS NULL
     WHERE variants.product_id = products.id AND (variants.is_master OR variants.deleted_at IS NULL)
     GROUP BY variants.id
   ) AS held) AS stock`;

const STATES: PreparedForIds = {
  name: 'product_states',
  sql: (ids) => `SELECT ${PRODUCT_STATE} FROM products WHERE products.id = ANY(${ids})`,
};

/** Returns the states of these products, in the order of `ids`. Unknown ids are skipped. One query. */
export async function findProductStates(db: Db, ids: readonly number[]): Promise<ProductState[]> {
  const byId = new Map(
    (await queryPreparedForIds<ProductState>(db, STATES, ids)).map((state) => [state.id, state]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}
