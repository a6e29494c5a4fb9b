import request, { type Response } from 'supertest';
import { OTHER_PATHS, OTHER_RECORDS } from '../../../src/errors/other-paths';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, testApp, type Caller } from '../../support/api';
import { MISTAKES as FIRST_MISTAKES, type Mistake } from '../../support/mistakes';
import { OTHER_MISTAKES } from '../../support/other-mistakes';
import { aSellableVariant, getPaymentMethodId, orderInState } from '../../support/orders.factory';
import { aProduct, getDefaultShippingCategoryId } from '../../support/products.factory';
import { unique } from '../../support/unique';

const MISTAKES = [...FIRST_MISTAKES, ...OTHER_MISTAKES];

let names: Record<string, string | number>;
let callers: Record<string, Caller>;

beforeAll(async () => {
  const [admin, customer] = [await anAdmin(), await aCustomer()];
  const [variant, product, another] = [await aSellableVariant(), await aProduct(), await aProduct()];
  const untracked = await aSellableVariant({ backorderable: true });
  const cart = await orderInState('cart');
  const atAddress = await orderInState('address');
  const atPayment = await orderInState('payment');
  const sold = await orderInState('complete');
  callers = {
    guest: {},
    admin,
    customer,
    cart: cart.caller,
    sold: sold.caller,
    'at address': atAddress.caller,
    'at payment': atPayment.caller,
  };
  names = {
    variant: variant.id,
    untracked: untracked.id,
    product: product.id,
    'other slug': another.slug,
    cart: cart.number,
    'at address': atAddress.number,
    'at payment': atPayment.number,
    sold: sold.number,
    other: (await orderInState('cart')).number,
    'taken email': customer.email,
    'new email': `${unique('new')}@example.com`,
    card: await getPaymentMethodId('Credit Card'),
    shipping_category: await getDefaultShippingCategoryId(),
  };
});

const fill = (text: string): string =>
  text.replace(/\{([a-z_ ]+)\}/g, (whole, name: string) => String(names[name] ?? whole));

async function send([sender, line, body]: Mistake): Promise<Response> {
  const [method = '', path = ''] = fill(line).split(/ (.*)/);
  const { token, orderToken } = callers[sender] ?? {};
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const sent = request(testApp().app)[verb](encodeURI(path));
  if (token !== undefined) void sent.set('X-Store-Token', token);
  if (orderToken !== undefined) void sent.set('X-Order-Token', orderToken);
  if (body === null) return sent;
  return sent
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : fill(JSON.stringify(body)));
}

/** What a developer sees of the reply, with what else it says. */
function readReply({ status, headers, body }: Response): string {
  const errors: unknown = body.errors ?? body.error;
  const shown = ['x-error-hint', 'allow', 'x-ignored-parameters', 'x-ignored-conditions', 'location'];
  const lines = shown.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${String(headers[name])}`],
  );
  return [String(status), ...(status < 400 ? [] : [JSON.stringify(body)]), ...lines, typeof errors].join(
    '\n',
  );
}

/** Whether the reply says more than its message: a hint, the methods of the path, a link, or what was ignored. */
const isHelpful = ({ headers }: Response): boolean =>
  ['x-error-hint', 'allow', 'location', 'x-ignored-parameters', 'x-ignored-conditions'].some(
    (name) => name in headers,
  );

test('what newcomers do wrong is answered by what to do', async () => {
  const unexplained: unknown[] = [];
  const hints = new Set<string>();
  let helpful = 0;
  for (const mistake of MISTAKES) {
    const reply = await send(mistake);
    const text = readReply(reply);
    if (!mistake[3].test(text)) unexplained.push([mistake, text]);
    if (isHelpful(reply)) helpful += 1;
    hints.add(reply.headers['x-error-hint'] ?? '');
  }
  expect(unexplained).toEqual([]);
  expect(MISTAKES.length).toBeGreaterThanOrEqual(250);
  expect(helpful).toBeGreaterThanOrEqual(230);
  expect(await listWrongPaths([...hints])).toEqual([]);
});

test('hints on paths name only what exists', async () => {
  const sentences = [OTHER_PATHS, ...Object.values(OTHER_RECORDS)].flatMap((table) => Object.values(table));
  expect(await listWrongPaths(sentences)).toEqual([]);
});

/** A path in a hint, after its method if it is named. */
const PATH = /(?:\b(GET|POST|PUT|DELETE) )?(\/(?:api\/v1|docs|health|metrics)[\w/:.-]*)/g;

/** Lists the endpoints and pages that these hints name although they do not exist. */
async function listWrongPaths(hints: readonly string[]): Promise<string[]> {
  const { body } = await api().get('/openapi.json');
  const paths: Record<string, object> = body.paths;
  const known = new Map(
    Object.entries(paths).map(([path, item]) => [path.replace(/\{\w+\}/g, ':'), Object.keys(item)]),
  );
  const wrong: string[] = [];
  for (const hint of new Set(hints)) {
    for (const [named, method = '', path = ''] of hint.matchAll(PATH)) {
      const plain = path.replace(/\.+$/, '').replace(/:\w+/g, ':');
      const isKnown =
        plain === '/metrics' ||
        isEndpoint(known, plain, method.toLowerCase()) ||
        (await request(testApp().app).get(plain)).status === 200;
      if (!isKnown) wrong.push(`${named} in: ${hint}`);
    }
  }
  return wrong;
}

/** Whether the path exists, with that method if it is named; without, paths may be below it. */
function isEndpoint(known: ReadonlyMap<string, string[]>, path: string, method: string): boolean {
  if (method !== '') return known.get(path)?.includes(method) ?? false;
  return [...known.keys()].some((pattern) => pattern === path || pattern.startsWith(`${path}/`));
}
