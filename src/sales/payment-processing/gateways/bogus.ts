import { LRUCache } from 'lru-cache';
import { generateDigits } from '../../order/numbers';
import { capture, createAuthorization, credit, voidScope, type Authorization } from './bogus-books';
import type {
  Approved,
  BaseRequest,
  Gateway,
  GatewayDefinition,
  GatewayResult,
  GatewaySource,
} from './gateway';

/** Test cards that are accepted; every other number is declined. */
export const ACCEPTED_CARDS: ReadonlySet<string> = new Set([
  '1',
  '4111111111111111',
  '4012888888881881',
  '4222222222222',
  '5500000000000004',
  '5555555555554444',
  '5105105105105100',
  '2223000010309703',
  '378282246310005',
  '371449635398431',
  '378734493671000',
  '340000000000009',
  '6011000000000004',
  '6011111111111117',
  '6011000990139424',
]);

const AUTHORIZATION = '12345';
const PROFILE_PREFIX = 'BGS-';
/** The tokens that it confirms. */
const TOKEN = /^BGS-\d{6}$/;

function approve(avs_response: string | null): Approved {
  return {
    approved: true,
    response_code: AUTHORIZATION,
    avs_response,
    cvv_response: null,
    message: 'Bogus Gateway: Forced success',
  };
}

const declined: GatewayResult = {
  approved: false,
  response_code: null,
  avs_response: null,
  cvv_response: null,
  message: 'Bogus Gateway: Forced failure',
};

/**
 * Approves cards with a profile, which accepted card numbers get when the card is stored. Confirms tokens unless they
 * are the saved card of another user; the token becomes the profile.
 */
function charge(source: GatewaySource | null, avs: string): GatewayResult {
  if (source === null) return declined;
  const { gateway_customer_profile_id: profile, gateway_payment_profile_id: token } = source;
  if (profile !== null) return profile.startsWith(PROFILE_PREFIX) ? approve(avs) : declined;
  if (token === null || !TOKEN.test(token) || source.is_saved_by_another_user) return declined;
  return { ...approve(avs), card: { gateway_customer_profile_id: token } };
}

/** Declines what the contract of gateways forbids, for example a refund of more than was captured. */
function refuse(reason: string): GatewayResult {
  return { ...declined, message: `Bogus Gateway: ${reason}` };
}

/** Results by idempotency key. */
type Results = LRUCache<string, GatewayResult>;

/** Returns the first result of a key without moving money again. */
function once(results: Results, request: BaseRequest, decide: () => GatewayResult): Promise<GatewayResult> {
  const result = results.get(request.idempotency_key) ?? decide();
  results.set(request.idempotency_key, result);
  return Promise.resolve(result);
}

/** How many authorizations and results are remembered. */
const REMEMBERED = 20_000;

/**
 * Creates a test gateway. It moves no money, so its sales never settle and can always be voided. It keeps books of the
 * authorizations that it has granted, in memory, and declines what their contract forbids. It approves requests about
 * authorizations that it does not know, for example from before a restart.
 */
export function createBogusGateway(): GatewayDefinition {
  const results: Results = new LRUCache({ max: REMEMBERED });
  const books = new LRUCache<string, Authorization>({ max: REMEMBERED });
  const open = (authorization: Authorization, request: BaseRequest): void =>
    void books.set(request.authorization, authorization);
  const bogus: Gateway = {
    authorize: (request) =>
      once(results, request, () => {
        const result = charge(request.source, 'D');
        if (result.approved) open(createAuthorization(request.amount), request);
        return result;
      }),
    purchase: (request) =>
      once(results, request, () => {
        const result = charge(request.source, 'M');
        if (result.approved) {
          const authorization = createAuthorization(request.amount);
          capture(authorization, request);
          open(authorization, request);
        }
        return result;
      }),
    capture: (request) =>
      once(results, request, () => {
        if (request.response_code !== AUTHORIZATION) return declined;
        return decideBy(capture(books.get(request.authorization), request));
      }),
    void: (request) =>
      once(results, request, () => decideBy(voidScope(books.get(request.authorization), request))),
    credit: (request) =>
      once(results, request, () => decideBy(credit(books.get(request.authorization), request))),
    createProfile: (card) =>
      Promise.resolve(
        ACCEPTED_CARDS.has(card.number)
          ? {
              gateway_customer_profile_id: PROFILE_PREFIX + generateDigits(6),
              gateway_payment_profile_id: null,
            }
          : null,
      ),
  };
  return { method_type: 'gateway', connect: () => bogus };
}

function decideBy(refusal: string | null): GatewayResult {
  return refusal === null ? approve(null) : refuse(refusal);
}

export const bogusGateway: GatewayDefinition = createBogusGateway();
