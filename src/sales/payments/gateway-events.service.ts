import { buildProgramAuthor } from '../../access/authors';
import { clientOf, limitFailures, LIMITS } from '../../access/limits';
import type { Ctx, Deps } from '../context';
import { NotAuthorized, NotFound, requireFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { askAboutWaiting, isCharge, withTimeout } from '../payment-processing/call-gateway';
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
import { connectGateway, findGateway } from '../payment-processing/gateways/registry';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { returnLateCharge } from '../payment-processing/late-charges';
import { recordAndContinue } from '../payment-processing/process-operation';
import {
  findDeclinedByStaff,
  findGivenUpRequest,
  findRunningRequest,
} from '../payment-processing/gateway-requests.repository';
import { logContradiction } from '../payment-processing/record-result';
import { returnFailedRefund } from './failed-refunds';
import { recordOutsideRefund } from './outside-refunds';
import { recordOutsideSettlement } from './outside-settlements';
import { recorders } from './recorders';

/**
 * Handles an event of a payment provider. An event is only a reason to look: what it says is recorded if the payment
 * waits for it, so one that comes twice, late or in another order changes nothing.
 * @throws NotFound without such a payment method, or if its gateway sends no events; NotAuthorized for a wrong
 *   signature; TooManyAttempts after many of them; Unavailable if the gateway does not answer, and the provider sends the event
 *   again
 */
export async function receiveGatewayEvent(ctx: Ctx, methodId: number, raw: RawEvent): Promise<void> {
  const method = requireFound(await findConnectedMethod(ctx.db, methodId));
  const event = await readLimited(ctx, method, raw);
  if (event === null) return;
  const deps = { ...ctx, author: buildProgramAuthor(`gateway: ${method.gateway}`) };
  const payment = await findNamedPayment(ctx.db, method.id, event);
  const { id, handled } = await withTransaction(deps, (tx) => noteEvent(tx, method, event, payment));
  if (handled) return;
  if (payment !== undefined) await applyEvent(deps, payment, event);
  await withTransaction(deps, (tx) => noteHandled(tx, id));
}

/** An address that sends wrong events does not make the store ask the provider about more of them. */
async function readLimited(ctx: Ctx, method: ConnectedMethod, raw: RawEvent): Promise<GatewayEvent | null> {
  const work = () => readEvent(ctx, method, raw);
  if (findGateway(ctx.gateways, method).checks_events_remotely !== true) return work();
  const keys = [{ limit: LIMITS.wrongEventFromAddress, key: clientOf(ctx.clientAddress) }];
  return limitFailures(ctx.limits, keys, { isFailure: (error) => error instanceof NotAuthorized, work });
}

async function readEvent(ctx: Ctx, method: ConnectedMethod, raw: RawEvent): Promise<GatewayEvent | null> {
  const { readEvent: read } = connectGateway(ctx, method);
  if (read === undefined) throw new NotFound();
  const about = { gateway: method.gateway, method: method.id, question: 'event' };
  const answer = await withTimeout(ctx.log, about, async () => {
    try {
      return await read(raw);
    } catch (error) {
      if (error instanceof WrongSignature) return error;
      throw error;
    }
  });
  if (answer instanceof WrongSignature) throw new NotAuthorized();
  return answer;
}

async function applyEvent(deps: Deps, payment: NamedPayment, event: GatewayEvent): Promise<void> {
  const { dispute, refund, failed_refund, settlement } = event;
  if (dispute !== undefined) {
    await withTransaction(deps, (tx) => storeDispute(tx, payment, dispute));
    return;
  }
  if (refund !== undefined && (await recordOutsideRefund(deps, payment, refund))) return;
  if (failed_refund !== undefined && (await returnFailedRefund(deps, payment, failed_refund))) return;
  const running = await findRunningRequest(deps.db, payment.id);
  if (running === undefined) {
    if (settlement !== undefined && (await recordOutsideSettlement(deps, payment, settlement))) return;
    await findLateCharge(deps, payment, event);
    await reportContradictions(deps, payment);
    return;
  }
  const request = { ...running, response_code: running.response_code ?? event.response_code };
  if (running.waits_until === null) {
    // The answer to a call that is running comes without an event. Only the one to a charge can be late.
    if (!isCharge(running)) return;
    // Nothing to ask about: the settling job repeats the charge.
    if (request.response_code === null && event.result === undefined) return;
  }
  const answer = await findAnswer(deps, request, event);
  if (isWaiting(answer) && running.waits_until === null) return;
  await recordAndContinue(deps, { request, answer }, recorders[request.purpose]);
  await returnLateCharge(deps, request, answer);
}

function findAnswer(deps: Deps, request: GatewayRequest, event: GatewayEvent): Promise<GatewayAnswer> {
  return event.result !== undefined && isCharge(request)
    ? Promise.resolve(event.result)
    : askAboutWaiting(deps, request, 'confirm');
}

/** Returns a charge that was given up, if the provider has approved it since. */
async function findLateCharge(deps: Deps, { id }: NamedPayment, event: GatewayEvent): Promise<void> {
  const givenUp = await findGivenUpRequest(deps.db, id);
  if (givenUp === undefined) return;
  const response_code = givenUp.response_code ?? event.response_code;
  await returnLateCharge(deps, givenUp, await findAnswer(deps, { ...givenUp, response_code }, event));
}

/**
 * Logs captures, voids and credits that the provider has approved although staff settled them as declined. Their money has moved,
 * and what was done instead may have moved it again.
 */
async function reportContradictions(deps: Deps, { id }: NamedPayment): Promise<void> {
  for (const request of await findDeclinedByStaff(deps.db, id)) {
    const answer = await askAboutWaiting(deps, request, 'confirm');
    if (isWaiting(answer)) continue;
    logContradiction(deps.log, request, { is_repeated: true, approved: false, message: '' }, answer);
  }
}
