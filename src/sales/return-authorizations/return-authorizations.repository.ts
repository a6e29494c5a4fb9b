import type { Knex } from 'knex';
import type { LockedOrder } from '../order/order-lock';
import type { LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { IdOrName } from '../../platform/http/path-parameters';
import { generateReturnAuthorizationNumber } from '../order/numbers';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { insertWithUniqueNumber } from '../order/unique-number';
import type { ReturnAuthorizationState } from '../order/return-authorization.machine';
import { buildStateChangesInsert, type PendingStateChange } from '../order/state-changes.repository';
import { findShownItems, type ShownReturnItem } from './return-items.repository';
import { findRequestedItems, type RequestedItem } from './return-requests.repository';
import { returnAuthorizationSearch } from './return-authorizations.search';

export interface ReturnAuthorizationRow {
  id: number;
  number: string;
  order_id: number;
  stock_location_id: number;
  return_authorization_reason_id: number;
  state: ReturnAuthorizationState;
  /** Never negative. If it is not explicit: 0 until the return is received, then what it credited. */
  amount: string;
  /** Whether an admin set the amount; else the return credits the value of its units. */
  amount_is_explicit: boolean;
  memo: string | null;
  /** What the customer wrote who requested the return. */
  customer_memo: string | null;
  /** Why the request was declined. */
  decline_reason: string | null;
  created_at: Date;
  updated_at: Date;
  /** What is on the return; only where it was loaded. */
  items?: ShownReturnItem[];
  /** What the customer requested; only where it was loaded. */
  requested_items?: RequestedItem[];
}

/** Returns one page of the return authorizations of an order, or of all orders if `orderId` is null. */
export async function findReturnAuthorizationPage(
  db: Db,
  orderId: number | null,
  list: ListQuery,
): Promise<Page<ReturnAuthorizationRow>> {
  const matching = applyFilters(db('return_authorizations'), list, returnAuthorizationSearch);
  if (orderId !== null) void matching.where('return_authorizations.order_id', orderId);
  const select = (returns: Knex.QueryBuilder) =>
    returns.select<ReturnAuthorizationRow[]>('return_authorizations.*');
  return findRowPage(db, { matching, select }, list, returnAuthorizationSearch);
}

/** Adds what is on these returns and what customers requested. Two statements. */
export async function attachItems<Row extends { id: number }>(
  db: Db,
  returns: readonly Row[],
): Promise<(Row & { items: ShownReturnItem[]; requested_items: RequestedItem[] })[]> {
  const ids = returns.map(({ id }) => id);
  const [items, requested] = await Promise.all([findShownItems(db, ids), findRequestedItems(db, ids)]);
  return returns.map((row) => ({
    ...row,
    items: items.filter((item) => item.return_authorization_id === row.id),
    requested_items: requested.filter((item) => item.return_authorization_id === row.id),
  }));
}

/** Returns the return authorization of the order with this id or number. */
export async function findReturnAuthorization(
  db: Db,
  orderId: number,
  { id, name }: IdOrName,
): Promise<ReturnAuthorizationRow | undefined> {
  return db<ReturnAuthorizationRow>('return_authorizations')
    .where({ order_id: orderId, ...(id === null ? { number: name } : { id }) })
    .first();
}

export type ReturnAuthorizationPatch = Partial<
  Pick<
    ReturnAuthorizationRow,
    | 'memo'
    | 'decline_reason'
    | 'amount'
    | 'amount_is_explicit'
    | 'stock_location_id'
    | 'return_authorization_reason_id'
  >
>;

/** The columns of a new return. */
export type NewReturnRow = Omit<
  ReturnAuthorizationRow,
  'id' | 'order_id' | 'number' | 'created_at' | 'updated_at' | 'items' | 'requested_items'
>;

/** Inserts a return authorization of the order with a new random number. */
export async function insertReturnAuthorization(
  tx: Tx,
  order: LockedOrder,
  values: NewReturnRow,
): Promise<ReturnAuthorizationRow> {
  return insertWithUniqueNumber(async () => {
    const [row] = await tx<ReturnAuthorizationRow>('return_authorizations')
      .insert({ ...values, order_id: order.id, number: generateReturnAuthorizationNumber() })
      .onConflict('number')
      .ignore()
      .returning('*');
    return row;
  });
}

/** Writes columns of a return authorization. @returns the updated row */
export async function updateReturnAuthorization(
  tx: Tx,
  { id }: LockedId,
  patch: ReturnAuthorizationPatch,
): Promise<ReturnAuthorizationRow> {
  const [row] = await tx<ReturnAuthorizationRow>('return_authorizations')
    .where({ id })
    .update({ updated_at: tx.raw('updated_at', []), ...patch })
    .returning('*');
  if (row === undefined) throw new Error(`return authorization ${id} is gone`);
  return row;
}

/** Writes the state and its history in one statement. @returns the updated row */
export async function updateReturnState(
  tx: Tx,
  { id }: LockedId,
  move: PendingStateChange<ReturnAuthorizationState>,
): Promise<ReturnAuthorizationRow> {
  const [row] = await tx<ReturnAuthorizationRow>('return_authorizations')
    .with('recorded', buildStateChangesInsert(tx, [move]))
    .where({ id })
    .update({ updated_at: tx.raw('updated_at', []), state: move.to_state })
    .returning('*');
  if (row === undefined) throw new Error(`return authorization ${id} is gone`);
  return row;
}

/** Deletes a return authorization. Its units must be released before. */
export async function deleteReturnAuthorization(tx: Tx, { id }: LockedId): Promise<void> {
  await tx('return_authorizations').where({ id }).delete();
}

/** Returns the returns of an order that its customer requested, oldest first. */
export async function findRequestedReturns(db: Db, orderId: number): Promise<ReturnAuthorizationRow[]> {
  return db<ReturnAuthorizationRow>('return_authorizations as r')
    .where('r.order_id', orderId)
    .whereExists(db('return_request_items').whereRaw('return_authorization_id = r.id').select(db.raw('1')))
    .orderBy('r.id')
    .select('r.*');
}
