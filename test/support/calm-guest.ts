/**
 * A guest of a store in a process of its own, who reads a list and changes a cart at a fixed rate, whether or not earlier
 * requests are answered, and prints a line for each reply. Argument: the URL of the store.
 */
import http from 'node:http';
import type { Sample } from './siege';

const PERIOD_MS = 50;
const GIVE_UP_MS = 20_000;
const url = process.argv[2] ?? '';
const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });

interface Call {
  method: string;
  path: string;
  body?: object;
  token?: string;
}

interface Answer {
  /** 0 without a reply. */
  status: number;
  code?: string;
  text: string;
}

function send({ method, path, body, token }: Call): Promise<Answer> {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== undefined && { 'X-Order-Token': token }),
  };
  return new Promise((resolve) => {
    const request = http.request(`${url}/api/v1${path}`, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const code = response.headers['x-error-code']?.toString();
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text, ...(code && { code }) }));
      response.once('error', () => resolve({ status: 0, text }));
    });
    request.setTimeout(GIVE_UP_MS, () => request.destroy());
    request.once('error', (error) => resolve({ status: 0, text: error.message }));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function measure(kind: Sample['kind'], call: Call): Promise<void> {
  const at = Date.now();
  const started = performance.now();
  const { status, code } = await send(call);
  const sample: Sample = { kind, at, ms: performance.now() - started, status, ...(code && { code }) };
  process.stdout.write(`${JSON.stringify(sample)}\n`);
}

async function run(): Promise<void> {
  const inStock = '/variants?per_page=1&q[is_master_eq]=false&q[stock_items_count_on_hand_gt]=20';
  const { variants } = JSON.parse((await send({ method: 'GET', path: inStock })).text) as {
    variants: { id: number }[];
  }; // a reply of the store
  const variant_id = variants[0]?.id;
  const opened = await send({
    method: 'POST',
    path: '/orders',
    body: { order: { line_items: [{ variant_id, quantity: 1 }] } },
  });
  const cart = JSON.parse(opened.text) as { number: string; token: string; line_items: { id: number }[] }; // as above
  const { number, token } = cart;
  const line = cart.line_items[0]?.id;
  let turn = 0;
  setInterval(() => {
    turn += 1;
    if (turn % 2 === 0) void measure('list', { method: 'GET', path: '/products?per_page=24' });
    else {
      const body = { line_item: { quantity: 1 + (turn % 3) } };
      void measure('cart', { method: 'PUT', path: `/orders/${number}/line_items/${line}`, body, token });
    }
  }, PERIOD_MS);
}

void run();
