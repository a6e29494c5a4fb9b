import http from 'node:http';

/** The response fields that scenarios read. */
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
  /** Time from the first byte sent to the last byte received, in milliseconds. */
  ms: number;
  /** Seconds to wait before a retry; null without `Retry-After`. */
  retryAfter: number | null;
}

export type Headers = Record<string, string>;

export interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  headers?: Headers;
}

/** An HTTP client with persistent connections and little overhead, to leave the CPU to the store. */
export interface Client {
  send: (request: Request) => Promise<Reply>;
  close: () => void;
}

/** Creates a client. It does not validate responses. */
export function createClient(storeUrl: string): Client {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1000 });
  const { hostname, port } = new URL(storeUrl);
  return {
    send: ({ method, path, body, headers = {} }) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
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
              // The store's tests validate responses against their schemas; the benchmark does not.
              body: (json === '' ? {} : JSON.parse(json)) as Body,
              ms: performance.now() - startedAt,
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

/** Awaits a response. @throws Error if it is not successful */
export async function expectOk(pending: Promise<Reply>): Promise<Reply> {
  const reply = await pending;
  if (reply.status >= 300) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** The data of the store that every checkout needs. */
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

/** The requests of a guest checkout paid by card, in order. Each is built from the previous response. */
const STEPS = [
  'create the order',
  'add a line item',
  'go to the address step',
  'set e-mail and addresses',
  'select the shipping rate',
  'add the card',
  'complete',
] as const;

export type Step = (typeof STEPS)[number];

/** Runs a guest checkout up to (not including) `until`, or to completion; passes the time of each step to `note`. */
export async function buy(
  client: Client,
  shop: Shop,
  basket: Basket,
  { until, note }: { until?: Step; note?: (step: Step, ms: number) => void } = {},
): Promise<Body> {
  let order: Body | undefined;
  for (const step of STEPS) {
    if (step === until) break;
    const reply = await expectOk(client.send(buildRequest(step, { order, shop, basket })));
    note?.(step, reply.ms);
    // This response contains the line item instead of the order.
    order = step === 'add a line item' ? order : { ...reply.body, token: order?.token ?? reply.body.token };
  }
  if (order === undefined) throw new Error('no checkout step was run');
  return order;
}

/** Builds the request that completes an order in the confirm state. */
export function buildCompletion(order: Body): Request {
  return { method: 'PUT', path: `/checkouts/${order.number}`, body: {}, headers: buildTokenHeader(order) };
}

export function buildTokenHeader({ token }: Pick<Body, 'token'>): Headers {
  return { 'X-Order-Token': token };
}

function buildRequest(step: Step, known: { order: Body | undefined; shop: Shop; basket: Basket }): Request {
  const { order, shop, basket } = known;
  if (order === undefined) return { method: 'POST', path: '/orders' };
  const headers = buildTokenHeader(order);
  const checkout = { method: 'PUT', path: `/checkouts/${order.number}`, headers } as const;
  switch (step) {
    case 'create the order':
      return { method: 'POST', path: '/orders' };
    case 'add a line item':
      return {
        method: 'POST',
        path: `/orders/${order.number}/line_items`,
        body: { line_item: basket },
        headers,
      };
    case 'go to the address step':
      return { ...checkout, path: `${checkout.path}/next` };
    case 'set e-mail and addresses':
      return { ...checkout, body: { order: buildAddresses(order, shop) } };
    case 'select the shipping rate':
      return {
        ...checkout,
        body: { order: { shipments_attributes: order.shipments.map(selectMostExpensiveRate) } },
      };
    case 'add the card':
      return { ...checkout, body: buildPayment(shop) };
    case 'complete':
      return buildCompletion(order);
  }
}

function buildAddresses(order: Body, { address }: Shop): object {
  const email = `${order.number.toLowerCase()}@example.com`;
  return { email, bill_address_attributes: address, ship_address_attributes: address };
}

/** Selects the most expensive rate, because the cheapest one is selected by default. */
function selectMostExpensiveRate({ id, shipping_rates }: Body['shipments'][number]): object {
  const [rate] = [...shipping_rates].sort((a, b) => Number(b.cost) - Number(a.cost));
  return { id, selected_shipping_rate_id: rate?.id };
}

function buildPayment({ card_method_id }: Shop): object {
  return {
    order: { payments_attributes: [{ payment_method_id: card_method_id }] },
    payment_source: { [card_method_id]: CARD },
  };
}
