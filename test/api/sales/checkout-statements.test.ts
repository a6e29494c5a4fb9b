import { api, type Caller } from '../../support/api';
import {
  aSellableVariant,
  buildMarylandAddress,
  buildPaymentBody,
  GOOD_CARD,
  orderInState,
  updateCheckout,
} from '../../support/orders.factory';
import { asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { aPaidOrder } from '../../support/shipments.factory';
import { aPromotion } from '../../support/promotions.factory';
import { countQueries, countWaits, listQueries } from '../../support/queries';

/** Ids are reserved once for many orders. */
const isReservation = (sql: string): boolean => sql.includes('nextval(');

/** Creates variants with ten units each in the default location. @returns their ids */
async function createVariants(count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push((await aSellableVariant({ stock: 10 })).id);
  return ids;
}

/** Creates an order with these variants and completes it, with the requests of a typical storefront. */
async function completeOrder(
  variantIds: readonly number[],
  measure: (name: string, send: () => Promise<any>) => Promise<any>,
) {
  const address = await buildMarylandAddress();
  const payment = await buildPaymentBody();
  const opened = await measure('create', () => api({}).post('/orders'));
  const caller: Caller = { orderToken: opened.body.token };
  const shopper = api(caller);
  const [order, checkout] = [`/orders/${opened.body.number}`, `/checkouts/${opened.body.number}`];
  const [first, ...others] = variantIds;
  await measure('add line', () => shopper.post(`${order}/line_items`, { variant_id: first }));
  if (others.length > 0) {
    const line_items = others.map((variant_id) => ({ variant_id }));
    await measure('add lines', () => shopper.put(order, { order: { line_items } }));
  }
  await measure('next', () => shopper.put(`${checkout}/next`));
  const delivery = await measure('addresses', () =>
    shopper.put(checkout, {
      order: { email: 'ann@example.com', bill_address_attributes: address, ship_address_attributes: address },
    }),
  );
  const [{ id, shipping_rates }] = delivery.body.shipments;
  await measure('rate', () =>
    shopper.put(checkout, {
      order: { shipments_attributes: [{ id, selected_shipping_rate_id: shipping_rates[1].id }] },
    }),
  );
  await measure('payment', () => shopper.put(checkout, payment));
  const complete = await measure('complete', () => shopper.put(checkout));
  expect(complete.body.state).toBe('complete');
}

/** Returns the number of statements of each request of a checkout. */
async function countStatementsByRequest(variantIds: readonly number[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await completeOrder(variantIds, async (name, send) => {
    let reply: any;
    const sent = await listQueries(async () => {
      reply = await send();
    });
    counts[name] = sent.filter((sql) => !isReservation(sql)).length;
    expect(reply.status).toBeLessThan(300);
    return reply;
  });
  return counts;
}

/** Reads these variants into the memory of the process. */
async function keepVariants(ids: readonly number[]): Promise<void> {
  await orderInState('address', { lines: ids.map((variant_id) => ({ variant_id, quantity: 1 })) });
}

// Fills the memory with reference data.
beforeAll(async () => {
  const [variant = 0] = await createVariants(1);
  await completeOrder([variant], (_name, send) => send());
});

test('a complete checkout by card waits for the database at most 17 times, 5 of them to complete', async () => {
  const [variant = 0] = await createVariants(1);
  const waits: Record<string, number> = {};
  await completeOrder([variant], async (name, send) => {
    let reply: any;
    waits[name] = await countWaits(async () => {
      reply = await send();
    });
    return reply;
  });
  const { complete = Infinity, addresses = Infinity } = waits;
  expect({ ...waits, complete: complete <= 5, addresses: addresses <= 4 }).toEqual({
    ...waits,
    complete: true,
    addresses: true,
  });
  const total = Object.values(waits).reduce((all, one) => all + one, 0);
  // With the waits by request, for the error message.
  expect({ ...waits, total }).toEqual({ ...waits, total: Math.min(total, 17) });
});

test('a complete checkout by card takes at most 59 statements', async () => {
  const [variant = 0] = await createVariants(1);
  await keepVariants([variant]);
  const counts = await countStatementsByRequest([variant]);
  const total = Object.values(counts).reduce((all, one) => all + one, 0);
  // With the statements by request, for the error message.
  expect({ ...counts, total }).toEqual({ ...counts, total: Math.min(total, 59) });
});

test('an empty cart takes one statement', async () => {
  expect(await countQueries(() => api({}).post('/orders'))).toBe(1);
  expect(await countQueries(() => api({}).post('/orders', { order: { line_items: [] } }))).toBe(1);
});

test.each([
  // The gateway stores the card before the transaction, so the order is read before, too.
  ['a card number', GOOD_CARD, 10],
  ['a token', { gateway_payment_profile_id: 'BGS-123456' }, 9],
])('a payment by %s takes its transaction and a statement for each table', async (_name, card, most) => {
  const order = await orderInState('payment');
  const body = await buildPaymentBody({ card });
  const count = await countQueries(() => updateCheckout(order, body));
  expect(count).toBeLessThanOrEqual(most);
});

test('an order with many lines takes as many statements as one with two', async () => {
  const ids = await createVariants(40);
  await keepVariants(ids);
  const few = await countStatementsByRequest(ids.slice(0, 2));
  const many = await countStatementsByRequest(ids);
  expect(many).toEqual(few);
});

test('variants that have changed are read again in one statement', async () => {
  const ids = await createVariants(3);
  await keepVariants(ids);
  const kept = await countStatementsByRequest(ids);
  await testDb()('products').update({ name: 'Changed' });
  const changed = await countStatementsByRequest(ids);
  // The first line item reads its variant, and the reply to the others theirs.
  expect(changed).toEqual({
    ...kept,
    'add line': (kept['add line'] ?? 0) + 1,
    'add lines': (kept['add lines'] ?? 0) + 1,
  });
});

const readsOrder = (sql: string): boolean => sql.includes('AS line_items');

test('changes of an order read it once, with its lock', async () => {
  const order = await orderInState('payment');
  const admin = await asAdmin();
  const promotion = await aPromotion({ actions: [{ type: 'order_percent', percent: '10' }] });
  const path = `/orders/${order.number}`;
  const charge = { label: 'Gift wrap', amount: '3' };
  const { id } = (await admin.post(`${path}/adjustments`, { adjustment: charge })).body;
  const reads: Record<string, number> = {};
  const count = async (name: string, send: () => Promise<any>): Promise<void> => {
    const sent = await listQueries(async () => {
      const { status } = await send();
      expect([name, Math.floor(status / 100)]).toEqual([name, 2]);
    });
    reads[name] = sent.filter(readsOrder).length;
  };
  await count('charge', () => admin.post(`${path}/adjustments`, { adjustment: charge }));
  await count('change', () => admin.put(`${path}/adjustments/${id}`, { adjustment: { amount: '4' } }));
  await count('remove', () => admin.delete(`${path}/adjustments/${id}`));
  await count('coupon', () => admin.put(`${path}/apply_coupon_code`, { coupon_code: promotion.code }));
  await count('withdraw', () => admin.delete(`${path}/coupon_codes/${promotion.code}`));
  await count('empty', () => admin.put(`${path}/empty`));
  const open = await orderInState('payment');
  await count('back', () => admin.put(`/checkouts/${open.number}`, { state: 'delivery' }));
  const sold = await aPaidOrder();
  await admin.put(`/orders/${sold.number}/cancel`);
  await count('resume', () => admin.put(`/orders/${sold.number}/resume`));
  const {
    number,
    payments: [payment],
    shipments: [shipment],
  } = await aPaidOrder();
  const refund = () => admin.put(`/orders/${number}/payments/${payment.id}/credit`, { amount: '1' });
  await count('cost', () => admin.put(`/shipments/${shipment.number}`, { shipment: { cost: '3' } }));
  await admin.put(`/shipments/${shipment.number}`, { shipment: { cost: shipment.cost } });
  await count('ship', () => admin.put(`/shipments/${shipment.number}/ship`));
  // Once to start the call of the gateway, and once to record its result.
  await count('refund', refund);
  // In a shop with promotions, the other tests would need more statements.
  await admin.delete(`/promotions/${promotion.id}`);
  expect(reads).toEqual({
    charge: 1,
    change: 1,
    remove: 1,
    coupon: 1,
    withdraw: 1,
    empty: 1,
    back: 1,
    resume: 1,
    cost: 1,
    ship: 1,
    refund: 2,
  });
});

/** Returns what PostgreSQL expects a statement to cost with any values, with the cost of its nodes. */
async function estimateCost(sql: string): Promise<number> {
  const count = new Set(sql.match(/\$\d+/g)).size;
  const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`;
  return testDb().transaction(async (tx) => {
    await tx.raw('SET LOCAL plan_cache_mode = force_generic_plan');
    // Doubled marks are not bindings.
    await tx.raw(`PREPARE test_estimate AS ${sql.replaceAll('?', '\\?')}`);
    const { rows } = await tx.raw(`EXPLAIN (FORMAT JSON) EXECUTE test_estimate${values}`);
    await tx.raw('DEALLOCATE test_estimate');
    return rows[0]['QUERY PLAN'][0].Plan['Total Cost'];
  });
}

// A hundred times as much makes a server with LLVM compile it, unless that is switched off.
test('PostgreSQL expects no statement of a checkout to be expensive', async () => {
  const [variant = 0] = await createVariants(1);
  const sent = new Set(await listQueries(() => completeOrder([variant], (_name, send) => send())));
  const statements = [...sent].filter((sql) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(sql));
  expect(statements.length).toBeGreaterThan(20);
  const expensive: [number, string][] = [];
  for (const sql of statements) {
    const cost = await estimateCost(sql);
    if (cost > 1_000) expensive.push([cost, sql.slice(0, 200)]);
  }
  expect(expensive).toEqual([]);
});
