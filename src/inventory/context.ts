import type { Ctx as BaseCtx, Deps as BaseDeps } from '../access/context';
import type { Tx } from '../platform/database/transaction';

/** A backordered unit of an order that is complete or about to be. */
export interface BackorderedUnit {
  id: number;
  order_id: number;
}

/** Backordered units whose stock arrived, and who moved it. */
export interface FilledBackorders {
  /** The units that become on hand. */
  units: readonly BackorderedUnit[];
  /** The orders to bring up to date; without one whose use case does that itself. */
  order_ids: readonly number[];
  /** Null when the program itself moved it. */
  user_id: number | null;
}

/** What inventory is built from. */
export interface Deps extends BaseDeps {
  /**
   * Updates the orders whose backorders were filled. Inventory does not know orders, so the function is passed in. It
   * runs inside the transaction that moved the stock; the orders are locked.
   */
  onBackordersFilled: (tx: Tx, filled: FilledBackorders) => Promise<void>;
}

/** The context of use cases of inventory, which may move stock. */
export interface Ctx extends BaseCtx, Deps {}
