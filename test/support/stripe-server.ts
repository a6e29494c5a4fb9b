import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import qs from 'qs';
import { createStripeGateway } from '../../src/sales/payment-processing/gateways/stripe';
import { builtInGateways, type GatewayRegistry } from '../../src/sales/payment-processing/gateways/registry';

/** The parts of a payment intent that the store reads. */
interface Intent {
  id: string;
  object: 'payment_intent';
  status: string;
  amount: number;
  amount_capturable: number;
  amount_received: number;
  currency: string;
  capture_method: string;
  client_secret: string;
  customer: string | null;
  payment_method: string;
  metadata: Record<string, string>;
  next_action: object | null;
  last_payment_error: { message: string } | null;
  latest_charge: object | string | null;
  created: number;
}

export interface StripeServer {
  port: number;
  gateways: GatewayRegistry;
  intents: Map<string, Intent>;
  refunds: Map<string, any>;
  /** The balance transactions. */
  movements: any[];
  /** Method and path of each request, without those that were answered from a key. */
  requests: string[];
  /** Whether answers get lost. */
  loses: boolean;
  /** Whether requests are carried out and never answered; their connections stay open. */
  isSilent: boolean;
  /** The status of new refunds. */
  refundStatus: string;
  /** The buyer confirms or fails the authentication of a payment. */
  authenticate: (id: string, succeeds: boolean) => void;
  close: () => Promise<void>;
}

export const STRIPE_KEY = 'sk_test_1';

/**
 * Starts a stand-in of the API of Stripe. Tokens begin with `pm_visa`, `pm_declined`,
 * `pm_3ds` or `pm_multi` (allows several captures).
 * It answers a repeated idempotency key as the first time, as Stripe does.
 */
export async function startStripe(): Promise<StripeServer> {
  const intents = new Map<string, Intent>();
  const refunds = new Map<string, any>();
  const answers = new Map<string, { status: number; body: object }>();
  const requests: string[] = [];
  const movements: any[] = [];
  let ids = 0;
  const id = (prefix: string) => `${prefix}_${Date.now().toString(36)}${(ids += 1)}`;
  const state = { refundStatus: 'succeeded', loses: false, isSilent: false };

  const show = (intent: Intent, expand: unknown): object => ({
    ...intent,
    latest_charge: Array.isArray(expand) && expand.includes('latest_charge') ? intent.latest_charge : 'ch_1',
  });
  const approve = (intent: Intent): void => {
    const card = {
      brand: 'visa',
      last4: '4242',
      exp_month: 8,
      exp_year: 2034,
      checks: { address_line1_check: 'pass', address_postal_code_check: 'pass', cvc_check: 'pass' },
      multicapture: { status: intent.payment_method.startsWith('pm_multi') ? 'available' : 'unavailable' },
    };
    const isManual = intent.capture_method === 'manual';
    Object.assign(intent, {
      status: isManual ? 'requires_capture' : 'succeeded',
      next_action: null,
      amount_capturable: isManual ? intent.amount : 0,
      amount_received: isManual ? 0 : intent.amount,
      latest_charge: { id: 'ch_1', object: 'charge', payment_method_details: { type: 'card', card } },
    });
    if (!isManual) move('charge', intent.amount, { ...intent });
  };
  const move = (
    type: string,
    amount: number,
    source: { currency: string; [name: string]: unknown },
  ): void => {
    const created = Math.floor(Date.now() / 1000);
    const { currency } = source;
    movements.push({
      id: id('txn'),
      object: 'balance_transaction',
      type,
      amount,
      currency,
      source,
      created,
    });
  };
  const refuse = (status: number, error: object) => ({ status, body: { error } });
  const unexpected = (intent: Intent) =>
    refuse(400, {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: `This PaymentIntent has a status of ${intent.status}.`,
    });

  function createIntent(body: any): { status: number; body: object } {
    if (/^\d/.test(String(body.payment_method))) throw new Error('a card number reached the provider');
    const kind = String(body.payment_method).split('_')[1];
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      status: 'processing',
      amount: Number(body.amount),
      amount_capturable: 0,
      amount_received: 0,
      currency: body.currency,
      capture_method: body.capture_method,
      client_secret: 'pi_secret',
      customer: body.customer ?? null,
      payment_method: body.payment_method,
      metadata: body.metadata ?? {},
      next_action: null,
      last_payment_error: null,
      latest_charge: null,
      created: Math.floor(Date.now() / 1000),
    };
    intents.set(intent.id, intent);
    if (kind === 'declined') {
      const message = 'Your card was declined.';
      Object.assign(intent, { status: 'requires_payment_method', last_payment_error: { message } });
      return refuse(402, { type: 'card_error', code: 'card_declined', message, payment_intent: intent });
    }
    if (kind === '3ds')
      Object.assign(intent, { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    else approve(intent);
    return { status: 200, body: show(intent, body.expand) };
  }

  function changeIntent(intent: Intent, action: string, body: any): { status: number; body: object } {
    if (action === 'capture') {
      const amount = Number(body.amount_to_capture);
      if (intent.status !== 'requires_capture' || amount > intent.amount_capturable)
        return unexpected(intent);
      const isFinal = body.final_capture !== 'false';
      intent.amount_received += amount;
      intent.amount_capturable = isFinal ? 0 : intent.amount_capturable - amount;
      if (intent.amount_capturable === 0) intent.status = 'succeeded';
      move('charge', amount, { ...intent });
    } else if (action === 'cancel') {
      if (['succeeded', 'canceled', 'processing'].includes(intent.status)) return unexpected(intent);
      Object.assign(intent, { status: 'canceled', amount_capturable: 0 });
    }
    return { status: 200, body: show(intent, body.expand) };
  }

  function createRefund(body: any): { status: number; body: object } {
    const intent = intents.get(body.payment_intent);
    const given = [...refunds.values()].filter(
      (one) => one.payment_intent === body.payment_intent && one.status !== 'failed',
    );
    const refunded = given.reduce<number>((sum, one) => sum + one.amount, 0);
    if (intent === undefined || refunded + Number(body.amount) > intent.amount_received)
      return refuse(400, { type: 'invalid_request_error', message: 'Refund amount is too large.' });
    const refund = {
      currency: intent.currency,
      id: id('re'),
      object: 'refund',
      status: state.refundStatus,
      amount: Number(body.amount),
      payment_intent: body.payment_intent,
      metadata: body.metadata ?? {},
      failure_reason: null,
    };
    refunds.set(refund.id, refund);
    move('refund', -refund.amount, refund);
    return { status: 200, body: refund };
  }

  function answer(method: string, path: string, body: any): { status: number; body: object } {
    const [, , resource, key = '', action = ''] = path.split('/');
    if (resource === 'customers') return { status: 200, body: { id: id('cus'), object: 'customer' } };
    if (resource === 'balance_transactions') {
      const { gte, lt } = body.created;
      const found = movements.filter(({ created }) => created >= Number(gte) && created < Number(lt));
      const after = found.findIndex((one) => one.id === body.starting_after) + 1;
      const [data, has_more] = [found.slice(after, after + 2), after + 2 < found.length];
      return { status: 200, body: { object: 'list', data, has_more, url: path } };
    }
    if (resource === 'refunds')
      return key === '' ? createRefund(body) : { status: 200, body: refunds.get(key) };
    if (key === '' && method === 'POST') return createIntent(body);
    if (key === '') {
      const data = [...intents.values()].map((intent) => show(intent, []));
      return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/payment_intents' } };
    }
    const intent = intents.get(key);
    if (intent === undefined)
      return refuse(404, { type: 'invalid_request_error', message: 'No such payment_intent' });
    return changeIntent(intent, action, body);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', 'http://localhost');
    const body = qs.parse(request.method === 'GET' ? url.search.slice(1) : Buffer.concat(chunks).toString());
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' ? answers.get(key) : undefined;
    const isKnown = request.headers.authorization === `Bearer ${STRIPE_KEY}`;
    if (known === undefined) requests.push(`${request.method ?? ''} ${url.pathname}`);
    const made = !isKnown
      ? refuse(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
      : (known ?? answer(request.method ?? '', url.pathname, body));
    if (typeof key === 'string') answers.set(key, structuredClone(made));
    if (state.isSilent) return;
    if (state.loses) {
      request.socket.destroy();
      return;
    }
    response.writeHead(made.status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(made.body));
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stripe = createStripeGateway({ host: '127.0.0.1', port, protocol: 'http' });
  return Object.assign(state, {
    gateways: { ...builtInGateways, stripe },
    port,
    intents,
    refunds,
    requests,
    movements,
    authenticate: (intentId: string, succeeds: boolean) => {
      const intent = intents.get(intentId);
      if (intent === undefined) throw new Error('no such intent');
      if (succeeds) approve(intent);
      else
        Object.assign(intent, {
          status: 'requires_payment_method',
          next_action: null,
          last_payment_error: { message: 'We are unable to authenticate your payment method.' },
        });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
