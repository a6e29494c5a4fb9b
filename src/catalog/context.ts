import type { Ctx as BaseCtx, Deps as BaseDeps } from '../access/context';
import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';

/** A stock item and where it is. */
export interface StockItemPlace {
  id: number;
  variant_id: number;
  stock_location_id: number;
}

/** The stock of variants that are created and deleted. Movements are in the name of one actor. */
export interface VariantStock {
  /**
   * Creates an empty stock item for each variant at every location that propagates. `backorderable` defaults to that of
   * the location.
   */
  create(tx: Tx, variantIds: readonly number[], backorderable?: boolean): Promise<void>;
  /** Sets the stock of a product's master to 0: once the product has variants, its stock belongs to them. */
  emptyMaster(tx: Tx, product: { product_id: number; new_variant_id: number }): Promise<void>;
  /** Soft-deletes the stock items of these variants, with movements of what they held. */
  remove(tx: Tx, variantIds: readonly number[], now: Date): Promise<void>;
  /** Counts the units of each stock item that are sold and not shipped, by the id of the item; without any: missing. */
  countCommitted(db: Db, items: readonly StockItemPlace[]): Promise<Map<number, number>>;
}

/** The dependencies of the catalog. */
export interface Deps extends BaseDeps {
  /**
   * Returns the stock of variants, for the account of an actor; null for the program itself. It is passed in because
   * the catalog does not import inventory.
   */
  variantStock: (user_id: number | null) => VariantStock;
}

/** The context of the use cases that create or delete variants. */
export interface Ctx extends BaseCtx, Deps {}
