import type { OrderCredentials } from '../../access/context';
import type { StockByLocation } from '../../inventory/availability';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import type { Tx } from '../../platform/database/transaction';
import { loadStockOfOrder, lockStockOfCompletion } from '../fulfilment/completion-stock.repository';
import type { CheckoutInput } from '../order-input/checkout.schema';

/** What was read right after the lock of an order, for the step that will probably be next. */
export interface PreloadedData {
  /** All stock items of the order, locked; empty or undefined if they are not locked. */
  locked?: readonly LockedStockItem[];
  /** The stock of its variants; undefined if it was not read. */
  stock?: StockByLocation;
}

/**
 * Loads what a step will probably need, by the number of its order. Send it right after the lock of the order. It locks
 * nothing for those who may not use the order.
 */
export type Preload = (tx: Tx, number: string, credentials: OrderCredentials) => Promise<PreloadedData>;

const lockStock: Preload = async (tx, number, credentials) => ({
  locked: await lockStockOfCompletion(tx, number, credentials),
});

const loadStock: Preload = async (tx, number) => ({ stock: await loadStockOfOrder(tx, number) });

const ADDRESSES: ReadonlySet<string> = new Set<keyof CheckoutInput['order']>([
  'bill_address',
  'bill_address_attributes',
  'ship_address',
  'ship_address_attributes',
  'use_billing',
]);

/**
 * Chooses what to load for the step after a request body is applied: an empty body usually completes the order, one with
 * addresses leaves the step `address`. Undefined if the body could change what is loaded.
 */
export function choosePreload({ state, order, payment_source }: CheckoutInput): Preload | undefined {
  if (state != null || payment_source !== undefined) return undefined;
  const sent = Object.entries(order).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (sent.length === 0) return lockStock;
  const isAddressStep =
    sent.some((name) => ADDRESSES.has(name)) && sent.every((name) => ADDRESSES.has(name) || name === 'email');
  return isAddressStep ? loadStock : undefined;
}
