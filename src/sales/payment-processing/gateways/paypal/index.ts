import {
  decline,
  type ChargeRequest,
  type FollowUpRequest,
  type Gateway,
  type GatewayAnswer,
  type GatewayDefinition,
  type VoidRequest,
  type WaitingRequest,
} from '../gateway';
import {
  ACCEPTED,
  buildMoney,
  findPart,
  isOrderOf,
  Order,
  readOrder,
  readTransaction,
  Transaction,
} from './answers';
import { createPaypalClients, Credentials, PaypalRefusal, type PaypalClient } from './client';
import { readPaypalEvent } from './events';
import { listPaypalMovements } from './movements';

/** PayPal remembers the keys of orders for six hours. An older request might be carried out twice. */
const LONGEST_RETRY_MS = 5 * 3_600_000;

/** What the client sends as the token of a buyer who pays with the account of PayPal. */
const WALLET = 'paypal';

/**
 * Creates the gateway of PayPal: orders that the buyer approves at PayPal (token `paypal`), or that a payment token of its vault
 * pays. The store authorizes an approved order itself, so none that is given up moves money.
 * @param host replaces the address of the API
 */
export function createPaypalGateway(host?: string): GatewayDefinition {
  const open = createPaypalClients(host);
  return {
    method_type: 'gateway',
    tokenizes: true,
    checks_events_remotely: true,
    credentials: {
      required: ['client_id', 'client_secret', 'webhook_id', 'return_url'],
      published: ['client_id'],
    },
    connect: (preferences) =>
      buildGateway(() => {
        const credentials = Credentials.parse(preferences);
        return { credentials, send: open(credentials) };
      }),
  };
}

export const paypalGateway: GatewayDefinition = createPaypalGateway();

interface Connection {
  credentials: Credentials;
  send: PaypalClient;
}

function buildGateway(connect: () => Connection): Gateway {
  return {
    authorize: (request) => decide(() => charge(connect(), request, 'AUTHORIZE')),
    purchase: (request) => decide(() => charge(connect(), request, 'CAPTURE')),
    capture: (request) => decide(() => capture(connect(), request)),
    void: (request) => decide(() => voidScope(connect(), request)),
    credit: (request) => decide(() => refund(connect(), request)),
    createProfile: () => Promise.resolve(null),
    confirm: (request) => decide(() => confirm(connect(), request)),
    abandon: (request) => decide(() => abandon(connect(), request)),
    readEvent: async (event) => {
      const { send, credentials } = connect();
      return readPaypalEvent(send, credentials, event);
    },
    listMovements: async (period) => listPaypalMovements(connect().send, period),
  };
}

/** Runs requests; what PayPal refuses is a decision. @throws Error if the decision is unknown */
async function decide(call: () => Promise<GatewayAnswer>): Promise<GatewayAnswer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PaypalRefusal) return decline(error.message);
    throw error;
  }
}

async function charge(
  { send, credentials }: Connection,
  { source, amount, currency, payment_number, order_number, ...request }: ChargeRequest,
  intent: 'AUTHORIZE' | 'CAPTURE',
): Promise<GatewayAnswer> {
  const token = source?.gateway_payment_profile_id ?? null;
  if (token === null || (token !== WALLET && source?.is_saved_by_another_user === true))
    return decline('PayPal: the payment was declined');
  if (Date.now() - request.started_at.getTime() > LONGEST_RETRY_MS)
    throw new Error('the idempotency key has expired');
  const { return_url } = credentials;
  const context = {
    return_url,
    cancel_url: return_url,
    user_action: 'PAY_NOW',
    shipping_preference: 'NO_SHIPPING',
  };
  const body = {
    intent,
    purchase_units: [
      { amount: buildMoney(amount, currency), custom_id: payment_number, description: order_number },
    ],
    payment_source:
      token === WALLET
        ? { paypal: { experience_context: context } }
        : { token: { id: token, type: 'PAYMENT_METHOD_TOKEN' } },
  };
  return readOrder(Order.parse(await send({ path: ORDERS, body, key: request.idempotency_key })));
}

const ORDERS = '/v2/checkout/orders';
const PAYMENTS = '/v2/payments';

async function capture({ send }: Connection, request: FollowUpRequest): Promise<GatewayAnswer> {
  const path = `${PAYMENTS}/authorizations/${readCode(request)}/capture`;
  // The rest of the authorization stays.
  const body = { amount: buildMoney(request.amount, request.currency), final_capture: false };
  return readTransaction(Transaction.parse(await send({ path, body, key: request.idempotency_key })));
}

async function refund({ send }: Connection, request: FollowUpRequest): Promise<GatewayAnswer> {
  const amount = buildMoney(request.amount, request.currency);
  const body = { amount, custom_id: request.payment_number };
  return atPart(send, readCode(request), async (id) => {
    const path = `${PAYMENTS}/captures/${id}/refund`;
    return readTransaction(Transaction.parse(await send({ path, body, key: request.idempotency_key })));
  });
}

async function voidScope({ send }: Connection, request: VoidRequest): Promise<GatewayAnswer> {
  const settled = decline('PayPal: the payment is settled', { is_settled: true });
  if (request.scope === 'capture') return settled;
  try {
    return await atPart(send, readCode(request), async (id) => {
      await send({ path: `${PAYMENTS}/authorizations/${id}/void`, key: request.idempotency_key });
      return ACCEPTED;
    });
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error;
    if (error.issue === 'PREVIOUSLY_VOIDED') return ACCEPTED;
    const isCaptured = ['PREVIOUSLY_CAPTURED', 'AUTHORIZATION_ALREADY_CAPTURED'].includes(error.issue);
    // Nothing is left of an authorization that is captured; and what is no authorization is a capture.
    if (isCaptured && request.scope === 'remainder') return ACCEPTED;
    if (isCaptured || (error.status === 404 && request.scope === 'sale')) return settled;
    throw error;
  }
}

/** Calls with the code of a payment, which is that of its order if its charge was approved late. */
async function atPart(
  send: PaypalClient,
  code: string,
  call: (id: string) => Promise<GatewayAnswer>,
): Promise<GatewayAnswer> {
  try {
    return await call(code);
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || error.status !== 404) throw error;
    const part = findPart(await findOrder(send, code));
    if (part === undefined) throw error;
    return call(part.id);
  }
}

/** Tells how a request stands that waits, and authorizes an order that the buyer has approved. */
async function confirm({ send }: Connection, request: WaitingRequest): Promise<GatewayAnswer> {
  const { kind } = request;
  const code = readCode(request);
  if (kind === 'void') return ACCEPTED;
  if (kind === 'capture' || kind === 'credit') {
    const path = `${PAYMENTS}/${kind === 'credit' ? 'refunds' : 'captures'}/${code}`;
    return readTransaction(Transaction.parse(await send({ method: 'GET', path })));
  }
  const order = await findOrder(send, code);
  if (order.status !== 'APPROVED' || findPart(order) !== undefined) return readOrder(order);
  if (!isOrderOf(order, request.amount, request.currency))
    return decline('PayPal: the amount has been changed', { response_code: order.id });
  const path = `${ORDERS}/${code}/${kind === 'authorize' ? 'authorize' : 'capture'}`;
  try {
    return readOrder(Order.parse(await send({ path, key: `${request.idempotency_key}-confirm` })));
  } catch (error) {
    const isDone = error instanceof PaypalRefusal && error.issue.startsWith('ORDER_ALREADY_');
    if (!isDone) throw error;
    return readOrder(await findOrder(send, code));
  }
}

/** An order that the store does not authorize moves no money, and expires. */
async function abandon({ send }: Connection, request: WaitingRequest): Promise<GatewayAnswer> {
  const order = await findOrder(send, readCode(request));
  return findPart(order) === undefined
    ? decline('The payment was canceled', { response_code: order.id })
    : readOrder(order);
}

async function findOrder(send: PaypalClient, id: string): Promise<Order> {
  return Order.parse(await send({ method: 'GET', path: `${ORDERS}/${id}` }));
}

/** @throws PaypalRefusal if the payment has no code */
function readCode({ response_code }: Pick<FollowUpRequest, 'response_code'>): string {
  if (response_code === null) throw new PaypalRefusal(422, '', 'PayPal: the payment is unknown');
  return encodeURIComponent(response_code);
}
