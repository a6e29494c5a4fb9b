import type { Locked } from '../platform/database/locked';
import type { Ctx as BaseCtx, Deps as BaseDeps } from '../catalog/context';
import type { Tx } from '../platform/database/transaction';

/** A backordered unit of an order that is complete or about to be. */
export interface BackorderedUnit {
  id: number;
  order_id: number;
}

/** Backordered units that arrived stock fills, and who moved the stock. */
export interface FilledBackorders {
  /** The units to put on hand, locked with their orders. */
  units: readonly Locked<BackorderedUnit>[];
  /** The orders to update; an order that its own use case updates is left out. */
  order_ids: readonly number[];
  /** Null if the program itself moved the stock. */
  user_id: number | null;
}

/** The dependencies of the inventory area. */
export interface Deps extends BaseDeps {
  /**
   * Updates the orders whose backorders were filled. It is passed in because inventory does not import orders. It runs
   * inside the transaction that moved the stock.
   */
  onBackordersFilled: (tx: Tx, filled: FilledBackorders) => Promise<void>;
}

/** The context of the use cases of inventory. */
export interface Ctx extends BaseCtx, Deps {}
