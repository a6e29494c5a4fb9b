import { requireRow } from '../../platform/database/require-row';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { toDecimal } from '../../platform/money';
import type { GatewayEvent } from './gateways/gateway';

/** The gateway of a payment method and its credentials. Never log them. */
export interface ConnectedMethod {
  id: number;
  gateway: string;
  preferences: unknown;
}

/** Returns a payment method, also an inactive or deleted one: its payments can still change. */
export async function findConnectedMethod(db: Db, id: number): Promise<ConnectedMethod | undefined> {
  if (id > MAX_INT4) return undefined;
  return db('payment_methods')
    .where({ id })
    .first<ConnectedMethod | undefined>('id', 'gateway', 'preferences');
}

/** A payment that an event is about. */
export interface NamedPayment {
  id: number;
  order_id: number;
}

/** Returns the payment that an event of the method names: by our number, or else by the code of its transaction. */
export async function findNamedPayment(
  db: Db,
  payment_method_id: number,
  { payment_number: number, response_code }: Pick<GatewayEvent, 'payment_number' | 'response_code'>,
): Promise<NamedPayment | undefined> {
  const key = number === null ? { response_code } : { number };
  // PostgreSQL text cannot contain NUL.
  if (Object.values(key).some((value) => value === null || value.includes('\u0000'))) return undefined;
  return db('payments')
    .where({ payment_method_id, ...key })
    .orderBy('id')
    .first<NamedPayment | undefined>('id', 'order_id');
}

/** Stores an event unless it is known. @returns whether everything that follows from it was recorded before */
export async function noteEvent(
  tx: Tx,
  { id: payment_method_id }: ConnectedMethod,
  { id: event_id, type }: GatewayEvent,
  payment: NamedPayment | undefined,
): Promise<{ id: string; handled: boolean }> {
  const found = await tx.raw<{ rows: { id: string; handled: boolean }[] }>(
    `INSERT INTO gateway_events (payment_method_id, event_id, type, payment_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (payment_method_id, event_id) DO UPDATE SET event_id = excluded.event_id
     RETURNING id, handled_at IS NOT NULL AS handled`,
    [payment_method_id, event_id, type, payment?.id ?? null],
  );
  return requireRow(found.rows);
}

/** Notes that everything that follows from an event is recorded. */
export async function noteHandled(tx: Tx, id: string): Promise<void> {
  await tx('gateway_events')
    .where({ id })
    .update({ handled_at: tx.raw('clock_timestamp()') });
}

/** Stores a dispute, or its new state. An event that comes late does not reopen a closed one. */
export async function storeDispute(
  tx: Tx,
  { id: payment_id }: NamedPayment,
  { id: reference, state, amount, reason }: NonNullable<GatewayEvent['dispute']>,
): Promise<void> {
  await tx('disputes')
    .insert({ payment_id, reference, state, amount: toDecimal(amount), reason })
    .onConflict(['payment_id', 'reference'])
    .merge(['state', 'amount', 'reason'])
    .whereNotIn('disputes.state', CLOSED);
}

/** The states in which a dispute ends. */
const CLOSED = ['won', 'lost', 'warning_closed', 'prevented', 'resolved'];
