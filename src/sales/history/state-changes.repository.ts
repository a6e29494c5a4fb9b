import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

export type HistorySubject = 'order' | 'payment' | 'shipment' | 'return_authorization';

export interface StateChange {
  order_id: number;
  subject_type: HistorySubject;
  subject_id: number;
  /** Null when the record was made. */
  from_state: string | null;
  to_state: string;
  /** Who did it; null for guests and for the program itself. */
  user_id: number | null;
  /** What was asked: the event or endpoint, in words for support staff. */
  reason: string;
}

export interface StateChangeRow extends StateChange {
  id: number;
  created_at: Date;
}

/** Writes down changes of state; belongs into the transaction that makes them. */
export async function insertStateChanges(tx: Tx, changes: readonly StateChange[]): Promise<void> {
  if (changes.length > 0) await tx('state_changes').insert(changes);
}

/** All that happened to an order and its payments, shipments and returns, oldest first. */
export async function findStateChanges(db: Db, orderId: number): Promise<StateChangeRow[]> {
  return db<StateChangeRow>('state_changes').where({ order_id: orderId }).orderBy('id');
}
