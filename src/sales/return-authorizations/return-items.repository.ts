import type { Locked, LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
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

/** Sets the units of a line item on a return; 0 removes the item. */
export async function setReturnItem(
  tx: Tx,
  { id }: LockedId,
  { quantity, ...item }: Pick<ReturnItemRow, 'line_item_id' | 'quantity' | 'restock'>,
): Promise<void> {
  const { line_item_id } = item;
  if (quantity === 0) {
    await tx('return_items').where({ return_authorization_id: id, line_item_id }).delete();
    return;
  }
  await tx('return_items')
    .insert({ return_authorization_id: id, quantity, ...item })
    .onConflict(['return_authorization_id', 'line_item_id'])
    .merge(['quantity', 'restock']);
}

/** Removes all items of a return that is not received. */
export async function deleteReturnItems(tx: Tx, { id }: LockedId): Promise<void> {
  await tx('return_items').where({ return_authorization_id: id }).delete();
}

/** Stores the values of the items of a return that is being received, in one statement. */
export async function storeReturnValues(
  tx: Tx,
  { id }: Locked<{ id: number }>,
  values: readonly ReturnItemValue[],
): Promise<void> {
  await tx.raw(
    `UPDATE return_items SET price = v.price, amount = v.amount, untaxed = v.untaxed,
            included_tax = v.included_tax, additional_tax = v.additional_tax
       FROM json_to_recordset(?::json)
            AS v(id integer, price numeric, amount numeric, untaxed numeric, included_tax numeric, additional_tax numeric)
      WHERE return_items.id = v.id AND return_items.return_authorization_id = ?`,
    [JSON.stringify(values), id],
  );
}
