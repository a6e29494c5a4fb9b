import type { Db } from '../../platform/database/knex';
import { loadOrderGraphs } from '../order/load-order-graph';
import { buildRequest, type GatewayRequest, type RequestedOperation } from './gateway-request';
import { SETTLED_BY_STAFF } from './own-reasons';
import { getPaymentMethods } from './payment-methods.repository';
import type { PaymentOperationRow } from './payment-operations.repository';

/** An operation with its order. */
type StoredOperation = PaymentOperationRow & { order_id: number };

/** Returns the requests of these operations, oldest first. */
export async function findGatewayRequests(db: Db, ids: readonly number[]): Promise<GatewayRequest[]> {
  const operations = await selectOperations(db).whereIn('op.id', ids).orderBy('op.id');
  return loadRequests(db, operations);
}

/** Returns the running request of a payment; undefined if none is running. */
export async function findRunningRequest(db: Db, paymentId: number): Promise<GatewayRequest | undefined> {
  const operations = await selectOperations(db).where({ 'op.payment_id': paymentId, 'op.state': 'started' });
  return (await loadRequests(db, operations))[0];
}

/** Returns the last request of a payment if it is a charge that was given up. */
export async function findGivenUpRequest(db: Db, paymentId: number): Promise<GatewayRequest | undefined> {
  const last = await selectOperations(db).where('op.payment_id', paymentId).orderBy('op.id', 'desc').limit(1);
  const isGivenUp = ({ state, kind, waits_until }: StoredOperation): boolean =>
    state === 'declined' && waits_until !== null && (kind === 'authorize' || kind === 'purchase');
  return (await loadRequests(db, last.filter(isGivenUp)))[0];
}

/** Returns the captures, voids and credits of a payment that staff settled as declined while they waited, oldest first. */
export async function findDeclinedByStaff(db: Db, paymentId: number): Promise<GatewayRequest[]> {
  const operations = await selectOperations(db)
    .where({ 'op.payment_id': paymentId, 'op.state': 'declined' })
    .whereNotIn('op.kind', ['authorize', 'purchase'])
    .whereNotNull('op.waits_until')
    .whereRaw('starts_with(op.message, ?)', [SETTLED_BY_STAFF])
    .orderBy('op.id');
  return loadRequests(db, operations);
}

function selectOperations(db: Db) {
  return db('payment_operations AS op')
    .join('payments AS p', 'p.id', 'op.payment_id')
    .select<StoredOperation[]>('op.*', 'p.order_id');
}

async function loadRequests(
  db: Db,
  operations: readonly (RequestedOperation & { order_id: number })[],
): Promise<GatewayRequest[]> {
  const orders = await loadOrderGraphs(
    db,
    operations.map(({ order_id }) => order_id),
  );
  const requests: GatewayRequest[] = [];
  for (const operation of operations) {
    const order = orders.find(({ id }) => id === operation.order_id);
    const payment = order?.payments.find(({ id }) => id === operation.payment_id);
    if (order === undefined || payment === undefined) continue;
    const methods = await getPaymentMethods(db, order.revisions);
    const method = methods.get(payment.payment_method_id);
    if (method !== undefined) requests.push(buildRequest(order, payment, { operation, method }));
  }
  return requests;
}
