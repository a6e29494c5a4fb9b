import type { FieldErrors } from '../platform/errors';
import { MAX_COUNT } from './stock-place';

/** A change of one stock item. */
export interface StockTarget {
  stock_item_id: number;
  /** The new count, or what is added to it; null for neither. */
  change: { count: number } | { adjust: number } | null;
  /** Undefined leaves it unchanged. */
  backorderable: boolean | undefined;
}

/** What became of a target. */
export type TargetOutcome = { isChanged: boolean } | { errors: FieldErrors };

/** What the plan reads of a locked stock item. */
export interface PlannedItem {
  count_on_hand: number;
  backorderable: boolean;
  tracks_inventory: boolean;
}

interface StockPlan {
  /** In the order of the targets. */
  outcomes: TargetOutcome[];
  /** One change for each target that moves units. */
  changes: { stock_item_id: number; quantity: number }[];
  /** The ids of the items that become backorderable, and of those that stop to be. */
  backorderable: { set: number[]; cleared: number[] };
}

/**
 * Plans changes of stock items. Targets of one item apply in their order, and one that breaks a bound is left out. The
 * count of an item without inventory tracking does not change, but its movements are recorded.
 */
export function planStockTargets(
  items: ReadonlyMap<number, PlannedItem>,
  targets: readonly StockTarget[],
): StockPlan {
  const states = new Map<number, PlannedItem>();
  const changes: StockPlan['changes'] = [];
  const outcomes = targets.map((target): TargetOutcome => {
    const id = target.stock_item_id;
    const state = states.get(id) ?? items.get(id);
    if (state === undefined) return { errors: { base: ['the stock item was deleted'] } };
    const backorderable = target.backorderable ?? state.backorderable;
    const quantity = calculateQuantity(state, target.change);
    const count_on_hand = state.count_on_hand + (state.tracks_inventory ? quantity : 0);
    if (!isWithinBounds({ count: count_on_hand, quantity, backorderable }))
      return { errors: buildCountError(backorderable, quantity) };
    states.set(id, { ...state, count_on_hand, backorderable });
    if (quantity !== 0) changes.push({ stock_item_id: id, quantity });
    return { isChanged: quantity !== 0 || backorderable !== state.backorderable };
  });
  const turned = [...states].filter(([id, state]) => state.backorderable !== items.get(id)?.backorderable);
  const list = (value: boolean) => turned.flatMap(([id, state]) => (state.backorderable === value ? id : []));
  return { outcomes, changes, backorderable: { set: list(true), cleared: list(false) } };
}

function calculateQuantity(state: PlannedItem, change: StockTarget['change']): number {
  if (change === null) return 0;
  return 'adjust' in change ? change.adjust : change.count - state.count_on_hand;
}

/** An increase is limited only above, a decrease only below. */
function isWithinBounds(after: { count: number; quantity: number; backorderable: boolean }): boolean {
  const { count, quantity, backorderable } = after;
  if (Math.abs(quantity) > MAX_COUNT) return false;
  if (quantity > 0) return count <= MAX_COUNT;
  return quantity === 0 || count >= (backorderable ? -MAX_COUNT : 0);
}

/** Builds the error of a count that would leave its bounds. @param quantity the change: above zero for an increase */
export function buildCountError(backorderable: boolean, quantity: number): FieldErrors {
  const bound =
    quantity > 0
      ? `must be less than or equal to ${MAX_COUNT}`
      : `must be greater than or equal to ${backorderable ? -MAX_COUNT : 0}`;
  return { count_on_hand: [bound] };
}
