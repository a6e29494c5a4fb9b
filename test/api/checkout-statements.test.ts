import { api, type Caller } from '../support/api';
import { createOwnShop, type OwnShop } from '../support/own-shop';
import { buildMarylandAddress, buildPaymentBody } from '../support/orders.factory';

let shop: OwnShop;
beforeAll(async () => {
  shop = await createOwnShop();
});
afterAll(() => shop.close());

/** Returns the number of statements that `work` sends to the database, including BEGIN and COMMIT. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const note = (): void => {
    count++;
  };
  shop.db.on('query', note);
  try {
    await work();
  } finally {
    shop.db.off('query', note);
  }
  return count;
}

/** Creates products with ten units each in the default location. @returns the ids of their masters */
async function createVariants(count: number): Promise<number[]> {
  const category = await shop.db('shipping_categories').where({ name: 'Default' }).first('id');
  const ids: number[] = [];
  for (let made = 0; made < count; made++) {
    const product = { name: `Product ${made}`, price: '15.99', shipping_category_id: category.id };
    const reply = await shop.admin.post('/products', { product });
    ids.push(reply.body.master.id);
  }
  await shop.db('stock_items').whereIn('variant_id', ids).update({ count_on_hand: 10 });
  return ids;
}

type Client = ReturnType<typeof api>;

/** Creates an order with these variants and completes it, with the requests of the specification. */
async function completeOrder(
  variantIds: readonly number[],
  ask: (name: string, send: () => Promise<any>) => Promise<any>,
) {
  const address = await buildMarylandAddress(shop.db);
  const payment = await buildPaymentBody({}, shop.db);
  const opened = await ask('create', () => api({}, shop.app).post('/orders'));
  const caller: Caller = { orderToken: opened.body.token };
  const shopper: Client = api(caller, shop.app);
  const [order, checkout] = [`/orders/${opened.body.number}`, `/checkouts/${opened.body.number}`];
  const [first, ...others] = variantIds;
  await ask('add line', () => shopper.post(`${order}/line_items`, { variant_id: first }));
  if (others.length > 0) {
    const line_items = others.map((variant_id) => ({ variant_id }));
    await ask('add lines', () => shopper.put(order, { order: { line_items } }));
  }
  await ask('next', () => shopper.put(`${checkout}/next`));
  const delivery = await ask('addresses', () =>
    shopper.put(checkout, {
      order: { email: 'ann@example.com', bill_address_attributes: address, ship_address_attributes: address },
    }),
  );
  const [{ id, shipping_rates }] = delivery.body.shipments;
  await ask('rate', () =>
    shopper.put(checkout, {
      order: { shipments_attributes: [{ id, selected_shipping_rate_id: shipping_rates[1].id }] },
    }),
  );
  await ask('payment', () => shopper.put(checkout, payment));
  const complete = await ask('complete', () => shopper.put(checkout));
  expect(complete.body.state).toBe('complete');
}

/** Returns the number of statements of each request of a checkout. */
async function countStatementsByRequest(variantIds: readonly number[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await completeOrder(variantIds, async (name, send) => {
    let reply: any;
    counts[name] = await statementsOf(async () => {
      reply = await send();
    });
    expect(reply.status).toBeLessThan(300);
    return reply;
  });
  return counts;
}

test('a complete checkout by card takes at most 80 statements', async () => {
  const [variant = 0] = await createVariants(1);
  const counts = await countStatementsByRequest([variant]);
  const total = Object.values(counts).reduce((all, one) => all + one, 0);
  // With the statements by request, for the error message.
  expect({ ...counts, total }).toEqual({ ...counts, total: Math.min(total, 80) });
});

test('an order with many lines takes as many statements as one with two', async () => {
  const ids = await createVariants(40);
  const few = await countStatementsByRequest(ids.slice(0, 2));
  const many = await countStatementsByRequest(ids);
  expect(many).toEqual(few);
});
