import { GUEST } from '../../../src/access/actor';
import type { OrderCredentials } from '../../../src/access/context';
import { withTransaction } from '../../../src/platform/database/transaction';
import { lockStockOfCompletion } from '../../../src/sales/fulfilment/completion-stock.repository';
import { testDb } from '../../support/database';
import {
  aSellableVariant,
  getPaymentMethodId,
  orderInState,
  setStock,
  showOrder,
  updateCheckout,
  type ReachableState,
} from '../../support/orders.factory';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aPromotion, onlyFor } from '../../support/promotions.factory';
import { countQueries } from '../../support/queries';

/** Returns the variants of the stock items that a completion of the order would lock early. */
async function listLockedVariants(
  { number, token }: { number: string; token: string },
  credentials: OrderCredentials = { actor: GUEST, orderToken: token },
): Promise<number[]> {
  const items = await withTransaction({ db: testDb() }, (tx) =>
    lockStockOfCompletion(tx, number, credentials),
  );
  return items.map((item) => item.variant_id);
}

test('no stock is locked for those who may not use the order', async () => {
  const variant = await aSellableVariant();
  const order = await orderInState('confirm', { lines: [{ variant_id: variant.id }] });
  expect(await listLockedVariants(order)).toEqual([variant.id]);
  for (const orderToken of [null, '', 'wrong'])
    expect(await listLockedVariants(order, { actor: GUEST, orderToken })).toEqual([]);
});

test('the stock items of an order in confirm are locked by id, each once', async () => {
  const variants = [await aSellableVariant(), await aSellableVariant()];
  const lines = variants.toReversed().map(({ id }) => ({ variant_id: id, quantity: 2 }));
  const order = await orderInState('confirm', { lines });
  expect(await listLockedVariants(order)).toEqual(variants.map(({ id }) => id));
});

test.each(['cart', 'delivery', 'payment', 'complete'] as ReachableState[])(
  'no stock of an order in %s is locked early',
  async (state) => {
    expect(await listLockedVariants(await orderInState(state))).toEqual([]);
  },
);

test('no stock is locked before the promotions of an order', async () => {
  const tote = await aSellableVariant();
  const { code } = await aPromotion({ rules: [onlyFor(tote)] });
  const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
  expect(await listLockedVariants(order)).toEqual([tote.id]);
  const entered = await api(await anAdmin()).put(`/orders/${order.number}`, { order: { coupon_code: code } });
  expect(entered.status).toBe(200);
  expect(await listLockedVariants(order)).toEqual([]);
  expect((await updateCheckout(order)).body.state).toBe('complete');
});

test('no stock of an order is locked early while a payment of it is processed', async () => {
  const order = await orderInState('confirm');
  await testDb()('payments').where({ order_id: order.id }).update({ state: 'processing' });
  expect(await listLockedVariants(order)).toEqual([]);
});

test('the rows of units are read only if a completion changes them', async () => {
  const complete = async (stock: number) => {
    const tote = await aSellableVariant({ stock: 5, backorderable: true });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 3 }] });
    await setStock(tote.id, { stock, backorderable: true });
    const statements = await countQueries(async () => {
      expect((await updateCheckout(order)).body.state).toBe('complete');
    });
    const [shipment] = (await showOrder(order)).shipments;
    return { statements, units: shipment.manifest };
  };
  await complete(5);
  const unchanged = await complete(5);
  const changed = await complete(1);
  expect(unchanged.units).toMatchObject([{ quantity: 3, states: { on_hand: 3 } }]);
  expect(changed.units).toMatchObject([{ quantity: 3, states: { on_hand: 1, backordered: 2 } }]);
  expect(unchanged.statements).toBeLessThan(changed.statements);
});

test('of two variants in a shipment, the one that is no longer tracked is not counted', async () => {
  const [tracked, untracked] = [await aSellableVariant({ stock: 5 }), await aSellableVariant({ stock: 5 })];
  const lines = [tracked, untracked].map(({ id }) => ({ variant_id: id, quantity: 2 }));
  const order = await orderInState('confirm', { lines });
  await testDb()('variants').where({ id: untracked.id }).update({ track_inventory: false });
  expect((await updateCheckout(order)).body.state).toBe('complete');
  const units = await testDb()('inventory_units').where({ order_id: order.id }).orderBy('id');
  const counted = (variantId: number) =>
    units.filter(({ variant_id }) => variant_id === variantId).map((unit) => unit.counted);
  expect([counted(tracked.id), counted(untracked.id)]).toEqual([
    [true, true],
    [false, false],
  ]);
});

test.each([
  ['after its delivery step, the variant is no longer tracked', { sold: false }],
  ['after its delivery step, the variant is tracked again', { sold: true }],
])('a completion that is refused at once leaves the count: %s', async (_, { sold }) => {
  const tote = await aSellableVariant({ stock: 5 });
  const track = async (track_inventory: boolean) => {
    await testDb()('variants').where({ id: tote.id }).update({ track_inventory });
  };
  await track(!sold);
  const order = await orderInState('payment', { lines: [{ variant_id: tote.id, quantity: 2 }] });
  // A payment by a gateway that has no card.
  const payment_method_id = await getPaymentMethodId('Credit Card');
  const paid = await updateCheckout(order, { order: { payments_attributes: [{ payment_method_id }] } });
  expect(paid.body.state).toBe('confirm');
  await track(sold);
  await testDb()('inventory_units').where({ order_id: order.id }).update({ counted: !sold });
  expect((await updateCheckout(order)).status).toBe(422);
  const [item] = await testDb()('stock_items').where({ variant_id: tote.id }).select('id', 'count_on_hand');
  expect(item.count_on_hand).toBe(5);
  const moved = await testDb()('stock_movements').where({ stock_item_id: item.id }).orderBy('id').select();
  expect(moved.slice(-2)).toMatchObject([
    { action: 'sold', quantity: -2, counted: sold },
    { action: 'completion undone', quantity: 2, counted: sold },
  ]);
});

test('an order that gets a discount when it completes locks its promotion before its stock', async () => {
  const tote = await aSellableVariant();
  const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
  await aPromotion({ code: null, usage_limit: 5, rules: [onlyFor(tote)] });
  /** The tables that each transaction locks. */
  const locks: string[][] = [[]];
  const note = ({ sql }: { sql: string }): void => {
    if (sql.startsWith('BEGIN')) locks.push([]);
    const [, table] = /FOR (?:NO KEY )?UPDATE/i.test(sql)
      ? (/(stock_items|promotions)\b/.exec(sql) ?? [])
      : [];
    if (table !== undefined) locks.at(-1)?.push(table);
  };
  testDb().on('query', note);
  // The claim of the order by an account recalculates its promotions.
  const reply = await api({ ...order.caller, ...(await aCustomer()) }).put(`/checkouts/${order.number}`);
  testDb().off('query', note);
  expect(reply.body).toMatchObject({ state: 'complete' });
  expect(locks.findLast((tables) => tables.length > 0)).toEqual(['promotions', 'stock_items']);
});
