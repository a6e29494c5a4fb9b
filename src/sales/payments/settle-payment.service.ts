import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { GatewayFailed, PaymentInProgress } from '../../errors/errors';
import { Unavailable, requireFound } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { lockOrder } from '../order/order-lock';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { findGatewayRequests } from '../payment-processing/gateway-requests.repository';
import { NO_CODES, type GatewayResult } from '../payment-processing/gateways/gateway';
import { SETTLED_BY_STAFF } from '../payment-processing/own-reasons';
import { claimOperation, lockStartedOperation } from '../payment-processing/payment-operations.repository';
import { hasKey, type ListedPayment } from '../payment-processing/payments.repository';
import { recordAndContinue } from '../payment-processing/process-operation';
import { getPayment, type PaymentPath } from './payments.service';
import { recorders } from './recorders';

/** What staff found out at the provider of a payment whose gateway does not answer. */
export interface SettlementInput {
  outcome: 'approved' | 'declined';
  reason: string;
  /** The provider's id of the transaction; null leaves the stored one in place. */
  response_code: string | null;
}

/**
 * Records the outcome of a payment that is `processing`, in place of its gateway, with everything that follows for its
 * order. If the gateway answers differently later, also by an event, the answer is logged as an error and changes nothing.
 * @throws NotFound; GatewayFailed unless the payment is `processing`; PaymentInProgress while its first call may still
 *   be answered
 */
export async function settlePayment(
  ctx: Ctx,
  path: PaymentPath,
  input: SettlementInput,
): Promise<ListedPayment> {
  const settlement = await withTransaction(ctx, (tx) => prepareSettlement(tx, ctx, path, input));
  try {
    await recordAndContinue(ctx, settlement, recorders[settlement.request.purpose]);
  } catch (error) {
    // A following call is not answered: this payment is settled, the other one waits for the job.
    if (!(error instanceof Unavailable)) throw error;
  }
  return getPayment(ctx, path);
}

/** Finds the running operation, and keeps the settling job from asking the gateway again. */
async function prepareSettlement(
  tx: Tx,
  ctx: Ctx,
  path: PaymentPath,
  { outcome, reason, response_code }: SettlementInput,
): Promise<{ request: GatewayRequest; answer: GatewayResult }> {
  const order = await lockOrder(tx, { number: path.number, credentials: ctx }, { whilePaid: true });
  const payment = requireFound(order.payments.find((candidate) => hasKey(candidate, path.id)));
  const operation = await lockStartedOperation(tx, payment);
  if (operation === undefined) throw new GatewayFailed(`cannot settle a payment that is ${payment.state}`);
  if (operation.is_recent) throw new PaymentInProgress(order.id);
  await claimOperation(tx, operation);
  const [request] = await findGatewayRequests(tx, [operation.id]);
  if (request === undefined) throw new Error(`operation ${operation.id} does not exist`);
  return {
    request: { ...request, settled_by: { outcome, reason, user_id: findUserId(ctx.actor) } },
    answer: {
      approved: outcome === 'approved',
      ...NO_CODES,
      response_code: response_code ?? getWaitingCode(request),
      message: SETTLED_BY_STAFF + reason,
    },
  };
}

/** Returns the code of a gateway that has answered that it waits: the payment does not have it yet. */
function getWaitingCode({ waits_until, response_code }: GatewayRequest): string | null {
  return waits_until === null ? null : response_code;
}
