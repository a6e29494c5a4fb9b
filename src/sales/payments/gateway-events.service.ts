import { buildProgramAuthor } from '../../access/authors';
import type { Ctx, Deps } from '../context';
import { NotAuthorized, NotFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { lockOrder } from '../order/order-lock';
import { askAboutWaiting, isCharge } from '../payment-processing/call-gateway';
import {
  findConnectedMethod,
  findNamedPayment,
  noteEvent,
  noteHandled,
  storeDispute,
  type ConnectedMethod,
  type NamedPayment,
} from '../payment-processing/gateway-events.repository';
import {
  isWaiting,
  WrongSignature,
  type GatewayAnswer,
  type GatewayEvent,
  type RawEvent,
} from '../payment-processing/gateways/gateway';
import { connectGateway } from '../payment-processing/gateways/registry';
import type { GatewayRequest } from '../payment-processing/payment-operations.repository';
import { lockPayments } from '../payment-processing/payments.repository';
import { callAndRecord, recordAndContinue } from '../payment-processing/process-operation';
import { performOnPayment } from '../payment-processing/start-payment';
import { findGivenUpRequest, findRunningRequest } from '../payment-processing/waiting-operations.repository';
import { recorders } from './recorders';

/**
 * Handles an event of a payment provider. An event is only a reason to look: what it says is recorded if the payment
 * waits for it, so one that comes twice, late or in another order changes nothing.
 * @throws NotFound without such a payment method, or if its gateway sends no events; NotAuthorized for a wrong
 *   signature; Unavailable if the gateway does not answer, and the provider sends the event again
 */
export async function receiveGatewayEvent(ctx: Ctx, methodId: number, raw: RawEvent): Promise<void> {
  const method = await findConnectedMethod(ctx.db, methodId);
  if (method === undefined) throw new NotFound();
  const event = await readEvent(ctx, method, raw);
  if (event === null) return;
  const deps = { ...ctx, author: buildProgramAuthor(`gateway: ${method.gateway}`) };
  const payment = await findNamedPayment(ctx.db, method.id, event);
  const { id, handled } = await withTransaction(deps, (tx) => noteEvent(tx, method, event, payment));
  if (handled) return;
  if (payment !== undefined) await applyEvent(deps, payment, event);
  await withTransaction(deps, (tx) => noteHandled(tx, id));
}

async function readEvent(ctx: Ctx, method: ConnectedMethod, raw: RawEvent): Promise<GatewayEvent | null> {
  const { readEvent: read } = connectGateway(ctx, method);
  if (read === undefined) throw new NotFound();
  try {
    return await read(raw);
  } catch (error) {
    if (error instanceof WrongSignature) throw new NotAuthorized();
    throw error;
  }
}

async function applyEvent(deps: Deps, payment: NamedPayment, event: GatewayEvent): Promise<void> {
  const { dispute } = event;
  if (dispute !== undefined) {
    await withTransaction(deps, (tx) => storeDispute(tx, payment, dispute));
    return;
  }
  const running = await findRunningRequest(deps.db, payment.id);
  if (running === undefined) {
    await returnLateCharge(deps, payment, event);
    return;
  }
  // The answer to a call that is running comes without an event. Only the one to a charge can be late.
  if (running.waits_until === null && !isCharge(running)) return;
  const request = { ...running, response_code: event.response_code ?? running.response_code };
  const answer = await findAnswer(deps, request, event);
  if (isWaiting(answer) && running.waits_until === null) return;
  await recordAndContinue(deps, { request, answer }, recorders[request.purpose]);
}

function findAnswer(deps: Deps, request: GatewayRequest, event: GatewayEvent): Promise<GatewayAnswer> {
  return event.result !== undefined && isCharge(request)
    ? Promise.resolve(event.result)
    : askAboutWaiting(deps, request, 'confirm');
}

/** Gives back a charge that the provider approved after it was given up, and its goods with it. */
async function returnLateCharge(
  deps: Deps,
  { id, order_id }: NamedPayment,
  event: GatewayEvent,
): Promise<void> {
  const givenUp = await findGivenUpRequest(deps.db, id);
  if (givenUp === undefined) return;
  const response_code = event.response_code ?? givenUp.response_code;
  const answer = await findAnswer(deps, { ...givenUp, response_code }, event);
  if (isWaiting(answer) || !answer.approved) return;
  const ending = await withTransaction(deps, async (tx) => {
    const order = await lockOrder(tx, { id: order_id });
    const payment = (await lockPayments(tx, order)).find((one) => one.id === id);
    const cause = { user_id: null, reason: 'approved after it was given up', purpose: 'payment' } as const;
    return payment === undefined ? null : performOnPayment(tx, 'return', { payment, order }, cause);
  });
  if (ending?.ended !== 'calls') return;
  deps.log.warn(
    { payment: event.payment_number },
    'a payment was approved after it was given up; it is returned',
  );
  await callAndRecord(deps, ending.request);
}
