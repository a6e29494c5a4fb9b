import { buildMoney } from '../../src/sales/payment-processing/gateways/paypal/answers';
import { createPaypalGateway } from '../../src/sales/payment-processing/gateways/paypal';
import { builtInGateways, type GatewayRegistry } from '../../src/sales/payment-processing/gateways/registry';
import { toAmount, type Amount } from '../../src/platform/money';
import { listen } from './listen';

interface PaypalOrder {
  id: string;
  intent: string;
  status: string;
  token: string | null;
  amount: Amount;
  currency: string;
  custom_id: string;
  payments: { authorizations: any[]; captures: any[] };
}

export interface PaypalServer {
  url: string;
  gateways: GatewayRegistry;
  orders: Map<string, PaypalOrder>;
  refunds: Map<string, any>;
  /** The rows of the search for transactions. */
  transactions: any[];
  /** Whether answers get lost. */
  loses: boolean;
  /** The status of new captures and refunds. */
  status: string;
  /** How often a token was given. */
  signIns: number;
  /** How often a signature was checked. */
  checks: number;
  /** The buyer approves an order at PayPal. */
  approve: (id: string) => void;
  /** A pending capture is completed. */
  complete: (captureId: string) => void;
  close: () => Promise<void>;
}

export const PAYPAL_KEYS = {
  client_id: 'app',
  client_secret: 'secret',
  webhook_id: 'WH-1',
  environment: 'sandbox',
  return_url: 'https://shop.example/return',
};
export const PAYPAL_SIGNATURE = 'genuine';

/**
 * Starts a stand-in of Orders v2, Payments v2, the check of signatures and the search for transactions. Tokens of the vault begin
 * with `good` or `bad`. It answers a repeated PayPal-Request-Id as the first time.
 */
export async function startPaypal(): Promise<PaypalServer> {
  const orders = new Map<string, PaypalOrder>();
  const parts = new Map<string, any>();
  const refunds = new Map<string, any>();
  const transactions: any[] = [];
  const answers = new Map<string, { status: number; body: object | null }>();
  const state = { loses: false, status: 'COMPLETED', signIns: 0, checks: 0 };
  let ids = 0;
  const id = (prefix: string) => `${prefix}${Date.now().toString(36)}${(ids += 1)}`.toUpperCase();

  const refuse = (status: number, issue: string, description = issue) => ({
    status,
    body: { name: 'REFUSED', message: 'refused', details: [{ issue, description }] },
  });
  const unknown = refuse(404, 'RESOURCE_NOT_FOUND');
  const move = (code: string, sign: string, part: any, order: PaypalOrder): void => {
    const money = buildMoney(part.cents, order.currency);
    transactions.push({
      transaction_info: {
        transaction_id: part.id,
        transaction_event_code: code,
        transaction_status: 'S',
        transaction_initiation_date: new Date().toISOString(),
        custom_field: order.custom_id,
        transaction_amount: { ...money, value: sign + money.value },
      },
    });
  };
  const show = (order: PaypalOrder): object => ({
    id: order.id,
    status: order.status,
    intent: order.intent,
    links: [{ rel: 'payer-action', href: `https://paypal.example/approve/${order.id}` }],
    purchase_units: [
      {
        custom_id: order.custom_id,
        amount: buildMoney(order.amount, order.currency),
        payments: order.payments,
      },
    ],
  });
  const addCapture = (order: PaypalOrder, cents: Amount): object => {
    const made = { id: id('CAP'), status: state.status, cents, refunded: 0n, order };
    parts.set(made.id, made);
    order.payments.captures.push({ id: made.id, status: made.status });
    move('T0006', '', made, order);
    return { id: made.id, status: made.status };
  };
  const finish = (order: PaypalOrder): void => {
    order.status = 'COMPLETED';
    if (order.intent === 'CAPTURE') return void addCapture(order, order.amount);
    const made = { id: id('AUT'), status: 'CREATED', cents: order.amount, captured: 0n, order };
    parts.set(made.id, made);
    const codes = { processor_response: { avs_code: 'Y', cvv_code: 'M' } };
    order.payments.authorizations.push({ id: made.id, status: made.status, ...codes });
  };

  function createOrder(body: any) {
    const [unit] = body.purchase_units;
    const token = body.payment_source.token?.id ?? null;
    if (/^\d/.test(String(token))) throw new Error('a card number reached the provider');
    if (String(token).startsWith('bad'))
      return refuse(422, 'INSTRUMENT_DECLINED', 'The instrument presented was declined.');
    const order: PaypalOrder = {
      id: id('ORD'),
      intent: body.intent,
      token,
      custom_id: unit.custom_id,
      status: 'PAYER_ACTION_REQUIRED',
      currency: unit.amount.currency_code,
      amount: toAmount(unit.amount.value),
      payments: { authorizations: [], captures: [] },
    };
    orders.set(order.id, order);
    if (token !== null) finish(order);
    return { status: 201, body: show(order) };
  }

  function changeOrder(order: PaypalOrder | undefined, action: string) {
    if (order === undefined) return unknown;
    if (action === '') return { status: 200, body: show(order) };
    if (order.status === 'COMPLETED') return refuse(422, 'ORDER_ALREADY_AUTHORIZED');
    if (order.status !== 'APPROVED') return refuse(422, 'ORDER_NOT_APPROVED');
    finish(order);
    return { status: 201, body: show(order) };
  }

  function changeAuthorization(one: any, action: string, body: any) {
    if (one?.captured === undefined) return unknown;
    if (one.status === 'VOIDED') return refuse(422, 'PREVIOUSLY_VOIDED');
    if (action === 'void') {
      if (one.captured === one.cents) return refuse(422, 'PREVIOUSLY_CAPTURED');
      one.status = 'VOIDED';
      return { status: 204, body: null };
    }
    const cents = toAmount(body.amount.value);
    if (one.captured + cents > one.cents) return refuse(422, 'MAX_CAPTURE_AMOUNT_EXCEEDED');
    one.captured += cents;
    return { status: 201, body: addCapture(one.order, cents) };
  }

  function changeCapture(one: any, action: string, body: any) {
    if (one?.refunded === undefined) return unknown;
    if (action === '') return { status: 200, body: { id: one.id, status: one.status } };
    const cents = toAmount(body.amount.value);
    if (one.refunded + cents > one.cents) return refuse(422, 'REFUND_AMOUNT_EXCEEDED');
    one.refunded += cents;
    const made = { id: id('REF'), status: state.status, cents, custom_id: body.custom_id };
    refunds.set(made.id, made);
    move('T1107', '-', made, one.order);
    return { status: 201, body: { id: made.id, status: made.status } };
  }

  function answer(path: string, body: any, query: URLSearchParams): { status: number; body: object | null } {
    const [, version, area, resource, key = '', action = ''] = path.split('/');
    if (version === 'v1' && area === 'notifications') {
      const isGenuine = body.transmission_sig === PAYPAL_SIGNATURE && body.webhook_id === 'WH-1';
      state.checks += 1;
      return { status: 200, body: { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' } };
    }
    if (area === 'reporting') {
      const page = Number(query.get('page'));
      const found = transactions.filter(({ transaction_info: { transaction_initiation_date: at } }) => {
        return at >= query.get('start_date')! && at <= query.get('end_date')!;
      });
      const details = found.slice((page - 1) * 2, page * 2);
      return {
        status: 200,
        body: { transaction_details: details, total_pages: Math.ceil(found.length / 2) },
      };
    }
    if (area === 'checkout') return key === '' ? createOrder(body) : changeOrder(orders.get(key), action);
    if (resource === 'authorizations') return changeAuthorization(parts.get(key), action, body);
    if (resource === 'captures') return changeCapture(parts.get(key), action, body);
    const refund = refunds.get(key);
    return refund === undefined ? unknown : { status: 200, body: { id: refund.id, status: refund.status } };
  }

  const server = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const text = Buffer.concat(chunks).toString();
      const { authorization } = request.headers;
      const reply = (status: number, body: object | null): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body === null ? '' : JSON.stringify(body));
      };
      if (pathname === '/v1/oauth2/token') {
        const isKnown = authorization === `Basic ${Buffer.from('app:secret').toString('base64')}`;
        state.signIns += 1;
        return reply(isKnown ? 200 : 401, isKnown ? { access_token: 'A21', expires_in: 32_400 } : {});
      }
      if (authorization !== 'Bearer A21') return reply(401, {});
      const key = request.headers['paypal-request-id'];
      const name = typeof key === 'string' ? `${pathname} ${key}` : null;
      const known = name === null ? undefined : answers.get(name);
      const made = known ?? answer(pathname, text === '' ? {} : JSON.parse(text), searchParams);
      if (name !== null) answers.set(name, structuredClone(made));
      if (state.loses) request.socket.destroy();
      else reply(made.status, made.body);
    });
  });
  return Object.assign(state, {
    gateways: { ...builtInGateways, paypal: createPaypalGateway(server.url) },
    url: server.url,
    orders,
    refunds,
    transactions,
    approve: (orderId: string) => {
      const order = orders.get(orderId);
      if (order === undefined) throw new Error('no such order');
      order.status = 'APPROVED';
    },
    complete: (captureId: string) => {
      parts.get(captureId).status = 'COMPLETED';
    },
    close: () => server.close(),
  });
}
