import type { Locked, LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import type { BoundStatement } from '../../platform/database/prepared';
import type { ReturnAuthorizationState } from '../order/return-authorization.machine';

/** The units of one line item on a return. Amounts are decimal strings, null until the return is received. */
export interface ReturnItemRow {
  id: number;
  return_authorization_id: number;
  return_state: ReturnAuthorizationState;
  line_item_id: number;
  quantity: number;
  /** Whether receiving the return puts the units back into stock. */
  restock: boolean;
  /** The price of a unit when the return was received. */
  price: string | null;
  /** The value of the units after adjustments, taxes included. */
  amount: string | null;
  /** The part of the value that is adjustments without tax; null also if an earlier version has received the return. */
  untaxed: string | null;
  included_tax: string | null;
  additional_tax: string | null;
}

/** What the units of a return item are worth. */
export type ReturnItemValue = Record<
  'price' | 'amount' | 'untaxed' | 'included_tax' | 'additional_tax',
  string
> & {
  id: number;
};

/** Returns the items of all returns of an order, oldest first. */
export async function findReturnItems(db: Db, orderId: number): Promise<ReturnItemRow[]> {
  return db('return_items as item')
    .join('return_authorizations as r', 'r.id', 'item.return_authorization_id')
    .where('r.order_id', orderId)
    .orderBy('item.id')
    .select<ReturnItemRow[]>('item.*', 'r.state as return_state');
}

/** The units of a line item on a return, as replies show them. */
export type ShownReturnItem = Pick<
  ReturnItemRow,
  'return_authorization_id' | 'line_item_id' | 'quantity' | 'restock'
> & { variant_id: number };

/** Returns the items of these returns, by return and id. */
export async function findShownItems(db: Db, returns: readonly number[]): Promise<ShownReturnItem[]> {
  if (returns.length === 0) return [];
  return db('return_items as item')
    .join('line_items', 'line_items.id', 'item.line_item_id')
    .whereIn('item.return_authorization_id', [...returns])
    .orderBy(['item.return_authorization_id', 'item.id'])
    .select<ShownReturnItem[]>(
      'item.return_authorization_id',
      'item.line_item_id',
      'line_items.variant_id',
      'item.quantity',
      'item.restock',
    );
}

/** Builds the statement that sets the units of a line item on a return; 0 removes the item. */
export function buildReturnItem(
  { id }: LockedId,
  { line_item_id, quantity, restock }: Pick<ReturnItemRow, 'line_item_id' | 'quantity' | 'restock'>,
): BoundStatement {
  return quantity === 0
    ? { statement: DELETE_ITEM, bindings: [id, line_item_id] }
    : { statement: SET_ITEM, bindings: [id, line_item_id, quantity, restock] };
}

const DELETE_ITEM = {
  name: 'delete_return_item',
  sql: 'DELETE FROM return_items WHERE return_authorization_id = ? AND line_item_id = ?',
};

const SET_ITEM = {
  name: 'set_return_item',
  sql: `INSERT INTO return_items (return_authorization_id, line_item_id, quantity, restock) VALUES (?, ?, ?, ?)
     ON CONFLICT (return_authorization_id, line_item_id) DO UPDATE SET quantity = EXCLUDED.quantity, restock = EXCLUDED.restock`,
};

/** Builds the statement that removes all items of a return that is not received. */
export function buildItemsDeletion({ id }: LockedId): BoundStatement {
  return { statement: DELETE_ITEMS, bindings: [id] };
}

const DELETE_ITEMS = {
  name: 'delete_return_items',
  sql: 'DELETE FROM return_items WHERE return_authorization_id = ?',
};

/** Builds the statement that stores the values of the items of a return that is being received. */
export function buildReturnValues(
  { id }: Locked<{ id: number }>,
  values: readonly ReturnItemValue[],
): BoundStatement {
  return { statement: SET_VALUES, bindings: [JSON.stringify(values), id] };
}

const SET_VALUES = {
  name: 'set_return_values',
  sql: `UPDATE return_items SET price = v.price, amount = v.amount, untaxed = v.untaxed,
            included_tax = v.included_tax, additional_tax = v.additional_tax
       FROM json_to_recordset(?::json)
            AS v(id integer, price numeric, amount numeric, untaxed numeric, included_tax numeric, additional_tax numeric)
      WHERE return_items.id = v.id AND return_items.return_authorization_id = ?`,
};
