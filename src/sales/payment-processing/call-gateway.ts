import type { Logger } from 'pino';
import type { Deps } from '../context';
import { GatewayUnavailable } from '../../errors/errors';
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

/**
 * Calls of one provider at once, in this process. While it is silent, each takes the place of a request for six seconds, and
 * the other places (`MAX_IN_FLIGHT`) are for visitors who do not pay.
 */
const MOST_CALLS = 64;

/** The calls that are running, by gateway. */
const running = new Map<string, number>();

/** The outcome is unknown; the payment stays `processing` until the settling job has recorded it. */
const NO_RESPONSE = 'The payment gateway did not answer. The outcome will be known shortly.';

/** The buyer or the provider has not acted in time, and the provider cannot end the charge. */
const GIVEN_UP = 'The payment was not confirmed in time';

/**
 * Calls the gateway, outside any transaction. Repeatable: the same request has the same idempotency key, so money moves
 * only once. A charge that has waited too long is ended.
 * @throws GatewayUnavailable (503) when the gateway fails or times out; the outcome is then unknown
 */
export async function callGateway(
  deps: Pick<Deps, 'gateways' | 'secret' | 'log'>,
  request: GatewayRequest,
): Promise<GatewayAnswer> {
  if (request.waits_until !== null) return endWaiting(deps, request);
  const { gateway: name, payment_number: payment, kind: call } = request;
  return withTimeout(deps.log, { gateway: name, payment, kind: call }, async () => {
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
 * @throws GatewayUnavailable as `callGateway`
 */
export async function askAboutWaiting(
  deps: Pick<Deps, 'gateways' | 'secret' | 'log'>,
  request: GatewayRequest,
  question: 'confirm' | 'abandon',
): Promise<GatewayAnswer> {
  const { gateway, payment_number: payment, kind } = request;
  const about = { gateway, payment, kind, question };
  return withTimeout(deps.log, about, async () => {
    const ask = connectGateway(deps, request)[question];
    if (ask === undefined) throw new Error(`the gateway does not know how to ${question}`);
    return ask(buildSent(request));
  });
}

/**
 * Runs one external call, for at most six seconds. Errors are logged by type and code only: messages of providers can
 * repeat what they received, including card data.
 * @param about what the log shows of the call
 * @throws GatewayUnavailable when the call fails or times out, or too many calls of the gateway are running
 */
export async function withTimeout<T>(
  log: Logger,
  about: { gateway: string; [detail: string]: unknown },
  call: () => Promise<T>,
): Promise<T> {
  const { gateway } = about;
  const others = running.get(gateway) ?? 0;
  if (others >= MOST_CALLS) {
    log.warn(about, `a payment gateway was not called: ${others} calls of it are running`);
    throw new GatewayUnavailable(NO_RESPONSE);
  }
  running.set(gateway, others + 1);
  try {
    return await endInTime(log, about, call);
  } finally {
    running.set(gateway, (running.get(gateway) ?? 1) - 1);
  }
}

async function endInTime<T>(log: Logger, about: object, call: () => Promise<T>): Promise<T> {
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
    throw new GatewayUnavailable(NO_RESPONSE);
  } finally {
    clearTimeout(timer);
  }
}

function describeError(error: unknown): { error_type: string; error_code: string | null } {
  return { error_type: isError(error) ? nameError(error) : typeof error, error_code: readErrorCode(error) };
}

/** Names an error by its class if it has no name of its own, as errors of providers' packages: wrong credentials are seen by it. */
function nameError({ name, constructor }: Error): string {
  return name === 'Error' ? constructor.name : name;
}
