import type { Logger } from 'pino';
import type { Deps } from '../context';
import { Unavailable } from '../../platform/errors';
import { readErrorCode, isError } from '../../platform/error-code';
import { toAmount } from '../../platform/money';
import { decline, isWaiting, type GatewayAnswer, type WaitingRequest } from './gateways/gateway';
import { decideVoidScope } from './void-scope.rules';
import { connectGateway } from './gateways/registry';
import type { GatewayRequest } from './gateway-request';

/**
 * Shorter than a claim (`CLAIM_SECONDS`), so that a request that times out can reply before another process retries.
 */
const TIMEOUT_MS = 6_000;

/** The outcome is unknown; the payment stays `processing` until the settling job has recorded it. */
const NO_RESPONSE = 'The payment gateway did not answer. The outcome will be known shortly.';

/** The buyer or the provider has not acted in time, and the provider cannot end the charge. */
const GIVEN_UP = 'The payment was not confirmed in time';

/**
 * Calls the gateway, outside any transaction. Repeatable: the same request has the same idempotency key, so money moves
 * only once. A charge that has waited too long is ended.
 * @throws Unavailable (503) when the gateway fails or times out; the outcome is then unknown
 */
export async function callGateway(
  deps: Pick<Deps, 'gateways' | 'secret' | 'log'>,
  request: GatewayRequest,
): Promise<GatewayAnswer> {
  if (request.waits_until !== null) return endWaiting(deps, request);
  return withTimeout(deps.log, { payment: request.payment_number, kind: request.kind }, async () => {
    const gateway = connectGateway(deps, request);
    const { kind, ...sent } = buildSent(request);
    return kind === 'void' ? gateway.void(sent) : gateway[kind](sent);
  });
}

function buildSent(request: GatewayRequest): WaitingRequest {
  return {
    kind: request.kind,
    scope: decideVoidScope(request),
    amount: toAmount(request.amount),
    currency: request.currency,
    idempotency_key: request.idempotency_key,
    order_number: request.order_number,
    payment_number: request.payment_number,
    authorization: request.authorization,
    response_code: request.response_code,
    source: request.source,
    started_at: request.started_at,
  };
}

async function endWaiting(
  deps: Pick<Deps, 'gateways' | 'secret' | 'log'>,
  request: GatewayRequest,
): Promise<GatewayAnswer> {
  if (!isCharge(request)) return askAboutWaiting(deps, request, 'confirm');
  const answer = await askAboutWaiting(deps, request, 'abandon');
  // The code is kept, to return the money if the provider approves it later.
  return isWaiting(answer) ? decline(GIVEN_UP, { response_code: request.response_code }) : answer;
}

/** Whether a request charges a card. Captures, voids and credits wait for the provider alone, for as long as it takes. */
export function isCharge({ kind }: Pick<GatewayRequest, 'kind'>): boolean {
  return kind === 'authorize' || kind === 'purchase';
}

/**
 * Asks the gateway about a request that waits (`confirm`), or to end it (`abandon`), outside any transaction.
 * @throws Unavailable as `callGateway`
 */
export async function askAboutWaiting(
  deps: Pick<Deps, 'gateways' | 'secret' | 'log'>,
  request: GatewayRequest,
  question: 'confirm' | 'abandon',
): Promise<GatewayAnswer> {
  const about = { payment: request.payment_number, kind: request.kind, question };
  return withTimeout(deps.log, about, async () => {
    const ask = connectGateway(deps, request)[question];
    if (ask === undefined) throw new Error(`the gateway does not know how to ${question}`);
    return ask(buildSent(request));
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
