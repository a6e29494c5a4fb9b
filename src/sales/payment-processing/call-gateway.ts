import type { Logger } from 'pino';
import type { Deps } from '../context';
import { Unavailable } from '../../platform/errors';
import { readErrorCode, isError } from '../../platform/error-code';
import { toAmount } from '../../platform/money';
import type { GatewayResult } from './gateways/gateway';
import { decideVoidScope } from './void-scope.rules';
import { connectGateway } from './gateways/registry';
import type { GatewayRequest } from './payment-operations.repository';

/**
 * Shorter than a claim (`CLAIM_SECONDS`), so that a request that times out can reply before another process retries.
 */
const TIMEOUT_MS = 6_000;

/** The outcome is unknown; the payment stays `processing` until the settling job has recorded it. */
const NO_RESPONSE = 'The payment gateway did not answer. The outcome will be known shortly.';

/**
 * Calls the gateway, outside any transaction. Repeatable: the same request has the same idempotency key, so money moves
 * only once.
 * @throws Unavailable (503) when the gateway fails or times out; the outcome is then unknown
 */
export async function callGateway(
  deps: Pick<Deps, 'gateways' | 'log'>,
  request: GatewayRequest,
): Promise<GatewayResult> {
  return withTimeout(deps.log, { payment: request.payment_number, kind: request.kind }, async () => {
    const gateway = connectGateway(deps.gateways, request);
    const sent = {
      amount: toAmount(request.amount),
      currency: request.currency,
      idempotency_key: request.idempotency_key,
      order_number: request.order_number,
      payment_number: request.payment_number,
      authorization: request.authorization,
      response_code: request.response_code,
      source: request.source,
    };
    return request.kind === 'void'
      ? gateway.void({ ...sent, scope: decideVoidScope(request) })
      : gateway[request.kind](sent);
  });
}

/**
 * Runs one external call, for at most six seconds. Errors are logged by type and code only: messages of providers can
 * repeat what they received, including card data.
 * @throws Unavailable when the call fails or times out
 */
export async function withTimeout<T>(log: Logger, about: object, call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([call(), expired]);
  } catch (error) {
    log.warn(
      { ...about, ...describeError(error) },
      'a call to a payment gateway failed; its outcome is unknown',
    );
    throw new Unavailable(NO_RESPONSE);
  } finally {
    clearTimeout(timer);
  }
}

function describeError(error: unknown): { error_type: string; error_code: string | null } {
  return { error_type: isError(error) ? error.name : typeof error, error_code: readErrorCode(error) };
}
