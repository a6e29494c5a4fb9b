import request, { type Response } from 'supertest';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { testApp, type Caller } from '../../support/api';
import { MISTAKES, type Mistake } from '../../support/mistakes';
import { aSellableVariant, getPaymentMethodId, orderInState } from '../../support/orders.factory';
import { aProduct, getDefaultShippingCategoryId } from '../../support/products.factory';

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
    ...{ guest: {}, admin, customer, cart: cart.caller, sold: sold.caller },
    ...{ 'at address': atAddress.caller, 'at payment': atPayment.caller },
  };
  names = {
    ...{ variant: variant.id, untracked: untracked.id, product: product.id, 'other slug': another.slug },
    ...{
      cart: cart.number,
      'at address': atAddress.number,
      'at payment': atPayment.number,
      sold: sold.number,
    },
    ...{ other: (await orderInState('cart')).number, 'taken email': customer.email },
    ...{
      card: await getPaymentMethodId('Credit Card'),
      shipping_category: await getDefaultShippingCategoryId(),
    },
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
  let helpful = 0;
  for (const mistake of MISTAKES) {
    const reply = await send(mistake);
    const text = readReply(reply);
    if (!mistake[3].test(text)) unexplained.push([mistake, text]);
    if (isHelpful(reply)) helpful += 1;
  }
  expect(unexplained).toEqual([]);
  expect(MISTAKES.length).toBeGreaterThanOrEqual(150);
  expect(helpful).toBeGreaterThanOrEqual(140);
});
