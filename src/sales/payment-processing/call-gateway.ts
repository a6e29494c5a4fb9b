import type { Logger } from 'pino';
import type { Deps } from '../context';
import { Unavailable } from '../../platform/errors';
import { readErrorCode, isError } from '../../platform/error-code';
import { toAmount } from '../../platform/money';
import type { GatewayResult } from './gateways/gateway';
import { connectGateway } from './gateways/registry';
import type { GatewayRequest } from './payment-operations.repository';

/** Shorter than a claim lasts (`CLAIM_SECONDS`): who gives up waiting has time left to say so. */
const TIMEOUT_MS = 6_000;

/** Nobody knows whether the money moved; the payment stays `processing` until the settling job has found out. */
const NO_RESPONSE = 'The payment gateway did not answer. The outcome will be known shortly.';

/**
 * Asks the gateway. Holds no transaction; asking again with the same request moves no money twice, as its key is
 * the same.
 * @throws Unavailable (503) when the gateway fails to answer: that is no refusal, so nothing may be concluded from it
 */
export async function callGateway(
  deps: Pick<Deps, 'gateways' | 'log'>,
  request: GatewayRequest,
): Promise<GatewayResult> {
  return withTimeout(deps.log, { payment: request.payment_number, kind: request.kind }, async () => {
    const gateway = connectGateway(deps.gateways, request);
    return gateway[request.kind]({
      amount: toAmount(request.amount),
      currency: request.currency,
      idempotency_key: request.idempotency_key,
      order_number: request.order_number,
      payment_number: request.payment_number,
      response_code: request.response_code,
      source: request.source,
    });
  });
}

/**
 * Runs one call to the outside world, for six seconds at most. What it fails with is told to the log by type and code
 * alone: messages of providers repeat what they were sent, card data included.
 * @throws Unavailable
 */
export async function withTimeout<T>(log: Logger, about: object, call: () => Promise<T>): Promise<T> {
  const patience = new AbortController();
  try {
    return await Promise.race([call(), rejectAfterTimeout(patience.signal)]);
  } catch (error) {
    log.warn({ ...about, ...describeError(error) }, 'a payment gateway did not answer');
    throw new Unavailable(NO_RESPONSE);
  } finally {
    patience.abort();
  }
}

function rejectAfterTimeout(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('time-out')), TIMEOUT_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

function describeError(error: unknown): { error_type: string; error_code: string | null } {
  return { error_type: isError(error) ? error.name : typeof error, error_code: readErrorCode(error) };
}
