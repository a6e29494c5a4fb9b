import http from 'node:http';

/** The parts of replies that scenarios read. */
export interface Body {
  id: number;
  number: string;
  token: string;
  state: string;
  line_items: { id: number }[];
  shipments: { id: number; shipping_rates: { id: number; cost: string }[] }[];
}

export interface Reply {
  status: number;
  body: Body;
  /** From the first byte sent to the last one read. */
  ms: number;
  /** Seconds after which a busy store wants to be asked again; null when it does not say. */
  retryAfter: number | null;
}

export type Headers = Record<string, string>;

export interface Ask {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  headers?: Headers;
}

/** A client that keeps its connections, as many as are needed at once; cheap, so that the store gets the processor. */
export interface Client {
  ask: (request: Ask) => Promise<Reply>;
  close: () => void;
}

/** Keeps its connections open; believes what it is answered. */
export function newClient(storeUrl: string): Client {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1000 });
  const { hostname, port } = new URL(storeUrl);
  return {
    ask: ({ method, path, body, headers = {} }) =>
      new Promise((resolve, reject) => {
        const begun = performance.now();
        const text = body === undefined ? '' : JSON.stringify(body);
        const sent = {
          ...headers,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          'Content-Length': Buffer.byteLength(text),
        };
        const options = { agent, hostname, port, method, path: `/api/v1${path}`, headers: sent };
        const request = http.request(options, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const json = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              // The store's own tests hold its replies against their schemas; here they are believed.
              body: (json === '' ? {} : JSON.parse(json)) as Body,
              ms: performance.now() - begun,
              retryAfter: response.headers['retry-after'] === undefined ? null : 1,
            });
          });
        });
        request.once('error', reject);
        request.end(text);
      }),
    close: () => agent.destroy(),
  };
}

/** @throws when the store refuses */
export async function expectOk(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked;
  if (reply.status >= 300) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** What every checkout needs to know of the store. */
export interface Shop {
  address: object;
  card_method_id: number;
}

const CARD = {
  number: '4111111111111111',
  month: '1',
  year: '2035',
  verification_value: '123',
  name: 'Ann Lee',
};

export interface Basket {
  variant_id: number;
  quantity: number;
}

/** The requests of a guest who buys something by card, in their order, each made from the reply before. */
const STEPS = [
  'open the order',
  'add a line item',
  'go to the addresses',
  'give e-mail and addresses',
  'choose the shipping rate',
  'give the card',
  'complete',
] as const;

export type Step = (typeof STEPS)[number];

/** Walks a guest's order on to (not including) `until`, or to its completion; tells the time of each step. */
export async function buy(
  client: Client,
  shop: Shop,
  basket: Basket,
  { until, note }: { until?: Step; note?: (step: Step, ms: number) => void } = {},
): Promise<Body> {
  let order: Body | undefined;
  for (const step of STEPS) {
    if (step === until) break;
    const reply = await expectOk(client.ask(requestOf(step, { order, shop, basket })));
    note?.(step, reply.ms);
    // A new line item is answered as such, not as the order.
    order = step === 'add a line item' ? order : { ...reply.body, token: order?.token ?? reply.body.token };
  }
  if (order === undefined) throw new Error('no step was taken');
  return order;
}

/** The request that completes an order that has come to its confirmation. */
export function completion(order: Body): Ask {
  return { method: 'PUT', path: `/checkouts/${order.number}`, body: {}, headers: tokenOf(order) };
}

export function tokenOf({ token }: Pick<Body, 'token'>): Headers {
  return { 'X-Order-Token': token };
}

function requestOf(step: Step, known: { order: Body | undefined; shop: Shop; basket: Basket }): Ask {
  const { order, shop, basket } = known;
  if (order === undefined) return { method: 'POST', path: '/orders' };
  const headers = tokenOf(order);
  const checkout = { method: 'PUT', path: `/checkouts/${order.number}`, headers } as const;
  switch (step) {
    case 'open the order':
      return { method: 'POST', path: '/orders' };
    case 'add a line item':
      return {
        method: 'POST',
        path: `/orders/${order.number}/line_items`,
        body: { line_item: basket },
        headers,
      };
    case 'go to the addresses':
      return { ...checkout, path: `${checkout.path}/next` };
    case 'give e-mail and addresses':
      return { ...checkout, body: { order: addressesOf(order, shop) } };
    case 'choose the shipping rate':
      return { ...checkout, body: { order: { shipments_attributes: order.shipments.map(dearestRate) } } };
    case 'give the card':
      return { ...checkout, body: paymentOf(shop) };
    case 'complete':
      return completion(order);
  }
}

function addressesOf(order: Body, { address }: Shop): object {
  const email = `${order.number.toLowerCase()}@example.com`;
  return { email, bill_address_attributes: address, ship_address_attributes: address };
}

/** Not the one that is selected already. */
function dearestRate({ id, shipping_rates }: Body['shipments'][number]): object {
  const [dearest] = [...shipping_rates].sort((a, b) => Number(b.cost) - Number(a.cost));
  return { id, selected_shipping_rate_id: dearest?.id };
}

function paymentOf({ card_method_id }: Shop): object {
  return {
    order: { payments_attributes: [{ payment_method_id: card_method_id }] },
    payment_source: { [card_method_id]: CARD },
  };
}
