import type { Stripe } from 'stripe' with { 'resolution-mode': 'import' };
import {
  decline,
  NO_CODES,
  type Approved,
  type CardProfile,
  type GatewayAnswer,
  type StoredCard,
  type Waiting,
} from '../gateway';

/** An approval that keeps the stored code, which is the one of the payment intent. */
export const ACCEPTED: Approved = { approved: true, ...NO_CODES, message: 'Stripe: accepted' };

export const DECLINED = 'Your card was declined.';

/** Reads how a charge stands from its payment intent, with `latest_charge`. */
export function readCharge(intent: Stripe.PaymentIntent, isKept: boolean): GatewayAnswer {
  const refused = decline(intent.last_payment_error?.message ?? DECLINED, { response_code: intent.id });
  switch (intent.status) {
    case 'requires_capture':
    case 'succeeded':
      return approve(intent, isKept);
    case 'requires_action':
      return wait(intent, readAction(intent));
    case 'processing':
    case 'requires_confirmation':
      return wait(intent, null);
    case 'canceled':
    case 'requires_payment_method':
      return refused;
  }
  // A status that a later version of the API has.
  return { waiting: true, response_code: intent.id, requires_action: null };
}

function wait({ id }: Stripe.PaymentIntent, requires_action: Waiting['requires_action']): Waiting {
  return { waiting: true, response_code: id, requires_action };
}

function readAction({ next_action, client_secret }: Stripe.PaymentIntent): Waiting['requires_action'] {
  const url = next_action?.redirect_to_url?.url ?? null;
  if (url !== null) return { redirect_url: url };
  return client_secret === null ? null : { client_secret };
}

function approve(intent: Stripe.PaymentIntent, isKept: boolean): Approved {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  const card = charge?.payment_method_details?.card ?? null;
  return {
    ...ACCEPTED,
    response_code: intent.id,
    avs_response: readAvs(card?.checks ?? null),
    cvv_response: readCvv(card?.checks?.cvc_check ?? null),
    ...(card !== null && { card: readCard(intent, card, isKept) }),
  };
}

type Card = NonNullable<Stripe.Charge.PaymentMethodDetails['card']>;

function readCard(
  intent: Stripe.PaymentIntent,
  card: Card,
  isKept: boolean,
): Partial<StoredCard & CardProfile> {
  const customer = typeof intent.customer === 'string' ? intent.customer : null;
  const method = typeof intent.payment_method === 'string' ? intent.payment_method : null;
  return {
    ...(typeof card.exp_month === 'number' && { month: card.exp_month }),
    ...(typeof card.exp_year === 'number' && { year: card.exp_year }),
    ...(typeof card.last4 === 'string' && { last_digits: card.last4 }),
    ...(typeof card.brand === 'string' && { cc_type: BRANDS[card.brand] ?? card.brand }),
    ...(isKept && customer !== null && { gateway_customer_profile_id: customer }),
    ...(isKept && method !== null && { gateway_payment_profile_id: method }),
  };
}

/** The names of brands that the store has others for. */
const BRANDS: Readonly<Record<string, string>> = {
  mastercard: 'master',
  amex: 'american_express',
  diners: 'diners_club',
};

/** Returns the code of the address check, as card networks name it; null without a check. */
function readAvs(checks: Card['checks']): string | null {
  const [line, zip] = [checks?.address_line1_check ?? null, checks?.address_postal_code_check ?? null];
  if (line === 'fail' || zip === 'fail') return line === 'pass' ? 'A' : zip === 'pass' ? 'Z' : 'N';
  if (line === 'pass') return zip === 'pass' ? 'Y' : null;
  return null;
}

function readCvv(check: string | null): string | null {
  return check === 'pass' ? 'M' : check === 'fail' ? 'N' : null;
}

/** Reads how a refund stands. */
export function readRefund({ id, status, failure_reason }: Stripe.Refund): GatewayAnswer {
  if (status === 'succeeded') return { ...ACCEPTED, response_code: id };
  if (status === 'failed' || status === 'canceled')
    return decline(`Stripe: the refund failed (${failure_reason ?? status})`);
  return { waiting: true, response_code: id, requires_action: null };
}
