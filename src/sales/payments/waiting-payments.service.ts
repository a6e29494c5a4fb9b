import type { Ctx } from '../context';
import { isAdmin } from '../../access/actor';
import { clientOf, LIMITS } from '../../access/limits';
import { GatewayFailed, PaymentInProgress } from '../../errors/errors';
import { withTransaction } from '../../platform/database/transaction';
import { NotAuthorized, NotFound } from '../../platform/errors';
import { askAboutWaiting, isCharge } from '../payment-processing/call-gateway';
import { isWaiting } from '../payment-processing/gateways/gateway';
import { returnLateCharge } from '../payment-processing/late-charges';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { findOrderNumber, type ListedPayment } from '../payment-processing/payments.repository';
import { recordAndContinue } from '../payment-processing/process-operation';
import { findRunningRequest } from '../payment-processing/gateway-requests.repository';
import { getPayment, type PaymentPath } from './payments.service';
import { recorders } from './recorders';

/**
 * Returns the path of a payment that is known by its id or number only.
 * @throws NotFound; NotAuthorized for callers that may not see which payments exist
 */
export async function findPaymentPath(ctx: Ctx, id: string): Promise<PaymentPath> {
  const number = await findOrderNumber(ctx.db, id);
  if (number === undefined) throw isAdmin(ctx.actor) ? new NotFound() : new NotAuthorized();
  return { number, id };
}

/**
 * Finishes a payment after the action of the buyer, with everything that follows for its order. Asks the gateway, so a
 * caller cannot claim what has not happened. Changes nothing if the gateway still waits. Repeatable.
 * @throws NotFound, NotAuthorized; GatewayFailed if the gateway declines, or the payment never waited; PaymentInProgress;
 *   Unavailable
 */
export async function confirmAction(ctx: Ctx, path: PaymentPath): Promise<ListedPayment> {
  const { payment, waiting } = await getWaiting(ctx, path);
  if (waiting === null) {
    if (payment.state === 'pending' || payment.state === 'completed') return payment;
    throw new GatewayFailed(`cannot confirm a payment that is ${payment.state}`);
  }
  return recordAnswer(ctx, path, waiting, 'confirm');
}

/**
 * Ends a payment that waits, so that the buyer can pay another way: the items of the order return to stock. Repeatable.
 * @throws as `confirmAction`; GatewayFailed if the provider cannot end it
 */
export async function cancelAction(ctx: Ctx, path: PaymentPath): Promise<ListedPayment> {
  const { payment, waiting } = await getWaiting(ctx, path);
  if (waiting === null) {
    if (payment.state === 'failed') return payment;
    throw new GatewayFailed(`cannot cancel the action of a payment that is ${payment.state}`);
  }
  if (!isCharge(waiting)) throw new GatewayFailed(`cannot cancel a ${waiting.kind} that waits`);
  return recordAnswer(ctx, path, waiting, 'abandon');
}

/**
 * Returns a payment and what it waits for. Its transaction checks `If-Match` before a gateway is asked.
 * @throws PaymentInProgress while its gateway is being called
 */
async function getWaiting(
  ctx: Ctx,
  path: PaymentPath,
): Promise<{ payment: ListedPayment; waiting: GatewayRequest | null }> {
  const payment = await withTransaction(ctx, (tx) => getPayment({ ...ctx, db: tx }, path));
  const running = await findRunningRequest(ctx.db, payment.id);
  if (running?.waits_until === null) throw new PaymentInProgress(payment.order_id);
  // A decision that was recorded in between is in the state.
  return running === undefined
    ? { payment: await getPayment(ctx, path), waiting: null }
    : { payment, waiting: running };
}

/** Providers refuse a store that asks too often, also its charges. @throws TooManyAttempts */
async function limitQuestions(ctx: Ctx, { payment_number }: GatewayRequest): Promise<void> {
  if (isAdmin(ctx.actor)) return;
  await ctx.limits.take([
    { limit: LIMITS.actionOfPayment, key: payment_number },
    { limit: LIMITS.actionFromAddress, key: clientOf(ctx.clientAddress) },
  ]);
}

/** The message of a payment that the provider approves, but that was given up in between. */
const TOO_LATE = 'The payment was not confirmed in time, and is returned';

async function recordAnswer(
  ctx: Ctx,
  path: PaymentPath,
  request: GatewayRequest,
  question: 'confirm' | 'abandon',
): Promise<ListedPayment> {
  await limitQuestions(ctx, request);
  const answer = await askAboutWaiting(ctx, request, question);
  if (isWaiting(answer) && question === 'abandon')
    throw new GatewayFailed('The provider cannot cancel the payment');
  await recordAndContinue(ctx, { request, answer }, recorders[request.purpose]);
  if (await returnLateCharge(ctx, request, answer)) throw new GatewayFailed(TOO_LATE);
  const payment = await getPayment(ctx, path);
  const isDeclined = !isWaiting(answer) && !answer.approved && question === 'confirm';
  if (isDeclined && payment.state === 'failed') throw new GatewayFailed(answer.message);
  return payment;
}
