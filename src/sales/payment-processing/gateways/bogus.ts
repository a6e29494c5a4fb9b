import { generateDigits } from '../../order/numbers';
import type {
  Approved,
  FollowUpRequest,
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

/**
 * The test gateway. It moves no money, so its sales never settle and can
 * always be voided. It stores nothing. Its results depend on the request alone, so
 * repeating a request is safe.
 */
const bogus: Gateway = {
  authorize: (request) => Promise.resolve(charge(request.source, 'D')),
  purchase: (request) => Promise.resolve(charge(request.source, 'M')),
  capture: (request: FollowUpRequest) =>
    Promise.resolve(request.response_code === AUTHORIZATION ? approve(null) : declined),
  void: () => Promise.resolve(approve(null)),
  credit: () => Promise.resolve(approve(null)),
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

export const bogusGateway: GatewayDefinition = { method_type: 'gateway', connect: () => bogus };
