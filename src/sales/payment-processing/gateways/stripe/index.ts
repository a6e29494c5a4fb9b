import type { Stripe } from 'stripe' with { 'resolution-mode': 'import' };
import { z } from 'zod';
import {
  decline,
  WrongSignature,
  type ChargeRequest,
  type FollowUpRequest,
  type Gateway,
  type GatewayAnswer,
  type GatewayDefinition,
  type GatewaySource,
  type RawEvent,
  type WaitingRequest,
} from '../gateway';
import { toStripeAmount } from './amounts';
import { ACCEPTED, DECLINED, readCharge, readRefund } from './answers';
import { readStripeEvent } from './events';
import { listStripeMovements } from './movements';

/** The address of the API; that of Stripe by default. */
export type StripeHost = Partial<Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'>>;

const Credentials = z.object({
  secret_key: z.string().min(1),
  webhook_secret: z.string().min(1),
  publishable_key: z.string().optional(),
  /** Where banks and wallets that need a page of their own return the buyer to. Without it, none of them is offered. */
  return_url: z.string().optional(),
});
type Credentials = z.output<typeof Credentials>;

/** Stripe remembers idempotency keys for 24 hours. An older request might be carried out twice. */
const LONGEST_RETRY_MS = 23 * 3_600_000;
/** Shorter than the time that calls of gateways may take. */
const TIMEOUT_MS = 5_000;

/**
 * Creates the gateway of Stripe: PaymentIntents that are captured manually. The page script of Stripe reads the cards, so
 * only their tokens (`pm_...`) pass through the store. The package is loaded with the first call.
 */
export function createStripeGateway(host: StripeHost = {}): GatewayDefinition {
  return {
    method_type: 'gateway',
    tokenizes: true,
    credentials: { required: ['secret_key', 'webhook_secret'], published: ['publishable_key'] },
    page_hosts: {
      'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
      'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
      'connect-src': ['https://api.stripe.com'],
      'img-src': ['https://*.stripe.com'],
    },
    connect: (preferences) => buildGateway(() => openClient(Credentials.parse(preferences), host)),
  };
}

export const stripeGateway: GatewayDefinition = createStripeGateway();

interface Client {
  stripe: Stripe;
  errors: typeof Stripe.errors;
  credentials: Credentials;
}

async function openClient(credentials: Credentials, host: StripeHost): Promise<Client> {
  const { default: Client } = await import('stripe');
  const stripe = new Client(credentials.secret_key, {
    ...host,
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
  });
  return { stripe, errors: Client.errors, credentials };
}

/** The charge has what `readCharge` reads of the card. */
const WITH_CHARGE = { expand: ['latest_charge'] };

function buildGateway(open: () => Promise<Client>): Gateway {
  return {
    authorize: (request) => charge(open, request, 'manual'),
    purchase: (request) => charge(open, request, 'automatic'),
    capture: (request) =>
      withIntent(open, request, async ({ stripe }, id) => {
        const { latest_charge } = await stripe.paymentIntents.retrieve(id, WITH_CHARGE);
        const card = typeof latest_charge === 'object' ? latest_charge?.payment_method_details?.card : null;
        await stripe.paymentIntents.capture(
          id,
          {
            amount_to_capture: toStripeAmount(request.amount, request.currency),
            // The rest of the authorization stays, if the bank allows several captures.
            ...(card?.multicapture?.status === 'available' && { final_capture: false }),
          },
          { idempotencyKey: keyOf(request) },
        );
        return ACCEPTED;
      }),
    void: (request) =>
      withIntent(open, request, async ({ stripe }, id) => {
        const { status, amount_received } = await stripe.paymentIntents.retrieve(id);
        const isOpen = status !== 'succeeded' && status !== 'canceled';
        // Releases what is not captured, and nothing else.
        if (isOpen && request.scope !== 'capture')
          await stripe.paymentIntents.cancel(id, {}, { idempotencyKey: keyOf(request) });
        if (request.scope === 'remainder' || amount_received === 0) return ACCEPTED;
        return decline('Stripe: the payment is settled', { is_settled: true });
      }),
    credit: (request) =>
      withIntent(open, request, async ({ stripe }, id) =>
        readRefund(
          await stripe.refunds.create(
            {
              payment_intent: id,
              amount: toStripeAmount(request.amount, request.currency),
              metadata: buildMetadata(request),
            },
            { idempotencyKey: keyOf(request) },
          ),
        ),
      ),
    createProfile: () => Promise.resolve(null),
    confirm: (request) => withIntent(open, request, (client, id) => look(client, id, request)),
    abandon: (request) => withIntent(open, request, (client, id) => abandon(client, id, request)),
    readEvent: (event) => readEvent(open, event),
    listMovements: async (period) => listStripeMovements((await open()).stripe, period),
  };
}

/** Charges the token of a card. A card of an account gets a customer, with which it can be charged again. */
function charge(
  open: () => Promise<Client>,
  request: ChargeRequest,
  capture_method: 'manual' | 'automatic',
): Promise<GatewayAnswer> {
  const { source, amount, currency } = request;
  const token = source?.gateway_payment_profile_id ?? null;
  if (source === null || token === null || source.is_saved_by_another_user)
    return Promise.resolve(decline(DECLINED));
  return translating(open, async (client) => {
    const { stripe, credentials } = client;
    const customer = await findCustomer(client, source, request);
    const { return_url } = credentials;
    const intent = await stripe.paymentIntents.create(
      {
        amount: toStripeAmount(amount, currency),
        currency: currency.toLowerCase(),
        capture_method,
        payment_method: token,
        confirm: true,
        metadata: buildMetadata(request),
        ...WITH_CHARGE,
        ...(customer !== null && { customer, setup_future_usage: 'on_session' }),
        automatic_payment_methods: {
          enabled: true,
          allow_redirects: return_url === undefined ? 'never' : 'always',
        },
        ...(return_url !== undefined && { return_url }),
        ...(capture_method === 'manual' && {
          payment_method_options: { card: { request_multicapture: 'if_available' } },
        }),
      },
      { idempotencyKey: keyOf(request) },
    );
    return readCharge(intent, customer !== null);
  });
}

async function findCustomer(
  { stripe }: Client,
  { gateway_customer_profile_id: known, is_kept }: GatewaySource,
  request: ChargeRequest,
): Promise<string | null> {
  if (known !== null || is_kept !== true) return known;
  const { id } = await stripe.customers.create(
    { metadata: buildMetadata(request) },
    { idempotencyKey: `${keyOf(request)}-customer` },
  );
  return id;
}

/** Tells how a request stands that waits. */
async function look({ stripe }: Client, id: string, request: WaitingRequest): Promise<GatewayAnswer> {
  if (request.kind === 'credit') return readRefund(await stripe.refunds.retrieve(id));
  const intent = await stripe.paymentIntents.retrieve(id, WITH_CHARGE);
  const isConfirmable = intent.status === 'requires_confirmation';
  const current = isConfirmable
    ? await stripe.paymentIntents.confirm(id, WITH_CHARGE, { idempotencyKey: `${keyOf(request)}-confirm` })
    : intent;
  return readCharge(current, request.source?.is_kept === true);
}

async function abandon(client: Client, id: string, request: WaitingRequest): Promise<GatewayAnswer> {
  const current = await look(client, id, request);
  if (!('waiting' in current)) return current;
  try {
    await client.stripe.paymentIntents.cancel(id, {}, { idempotencyKey: `${keyOf(request)}-abandon` });
    return decline('The payment was canceled');
  } catch (error) {
    if (!(error instanceof client.errors.StripeInvalidRequestError)) throw error;
    return look(client, id, request);
  }
}

/** Runs calls about an existing payment intent or refund; declines requests without one. */
function withIntent(
  open: () => Promise<Client>,
  { response_code }: Pick<FollowUpRequest, 'response_code'>,
  call: (client: Client, id: string) => Promise<GatewayAnswer>,
): Promise<GatewayAnswer> {
  if (response_code === null) return Promise.resolve(decline('Stripe: the payment is unknown'));
  return translating(open, (client) => call(client, response_code));
}

/**
 * Runs calls of the API. What Stripe refuses is a decision; after other errors, such as a time-out, it is unknown.
 * @throws Error if the decision is unknown
 */
async function translating(
  open: () => Promise<Client>,
  call: (client: Client) => Promise<GatewayAnswer>,
): Promise<GatewayAnswer> {
  const client = await open();
  try {
    return await call(client);
  } catch (error) {
    const { StripeCardError, StripeInvalidRequestError } = client.errors;
    if (error instanceof StripeCardError || error instanceof StripeInvalidRequestError)
      return decline(error.message);
    throw error;
  }
}

/** @throws Error for a request that is so old that Stripe may have forgotten its key; staff settle its payment */
function keyOf({
  idempotency_key,
  started_at,
}: Pick<FollowUpRequest, 'idempotency_key' | 'started_at'>): string {
  if (Date.now() - started_at.getTime() > LONGEST_RETRY_MS)
    throw new Error('the idempotency key has expired');
  return idempotency_key;
}

function buildMetadata({ payment_number, order_number }: ChargeRequest): Record<string, string> {
  return { payment: payment_number, order: order_number };
}

async function readEvent(open: () => Promise<Client>, { body, header }: RawEvent) {
  const { stripe, errors, credentials } = await open();
  try {
    const signature = header('stripe-signature') ?? '';
    return readStripeEvent(stripe.webhooks.constructEvent(body, signature, credentials.webhook_secret));
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError) throw new WrongSignature();
    throw error;
  }
}
