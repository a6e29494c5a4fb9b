import { asAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { countQueries } from '../support/queries';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
} from '../support/shipments.factory';

/** Returns the stock item of a variant as admins see it. */
async function showItem(variantId: number) {
  const location = await getDefaultLocationId();
  const path = `/stock_locations/${location}/stock_items?q[variant_id_eq]=${variantId}`;
  const [item] = (await (await asAdmin()).get(path)).body.stock_items;
  return { count_on_hand: item.count_on_hand, committed: item.committed };
}

async function count(variant: { id: number }, row: object) {
  const stock_location_id = await getDefaultLocationId();
  const rows = [{ variant_id: variant.id, stock_location_id, ...row }];
  return (await asAdmin()).post('/bulk/stock', { rows });
}

const lines = (variant: { id: number }, quantity: number) => ({
  lines: [{ variant_id: variant.id, quantity }],
});

test('sold units are committed until they ship or their order is canceled; those of carts are not', async () => {
  const variant = await aSellableVariant();
  await orderInState('payment', lines(variant, 1));
  expect(await showItem(variant.id)).toEqual({ count_on_hand: 10, committed: 0 });
  const order = await aPaidOrder(lines(variant, 2));
  await aShippedOrder(lines(variant, 3));
  expect(await showItem(variant.id)).toEqual({ count_on_hand: 5, committed: 2 });
  await (await asAdmin()).put(`/orders/${order.number}/cancel`);
  expect(await showItem(variant.id)).toEqual({ count_on_hand: 7, committed: 0 });
});

test('variants show staff what is committed, current after each dispatch, and shoppers nothing', async () => {
  const variant = await aSellableVariant();
  const order = await aPaidOrder(lines(variant, 2));
  const admin = await asAdmin();
  const list = `/variants?q[id_eq]=${variant.id}`;
  const shown = async (of: ReturnType<typeof api>) => {
    const { body } = await of.get(list);
    const [{ committed, stock_items }] = body.variants;
    return { committed, items: stock_items.map((item: any) => [item.count_on_hand, item.committed]) };
  };
  expect(await shown(admin)).toEqual({ committed: 2, items: [[8, 2]] });
  expect(await shown(api())).toEqual({ committed: undefined, items: [[8, undefined]] });
  // Shipping changes no count, and so no revision of the catalog.
  await admin.put(`/shipments/${order.shipments[0].number}/ship`);
  expect(await shown(admin)).toEqual({ committed: 0, items: [[8, 0]] });
  expect((await admin.put(`/variants/${variant.id}`, { variant: { weight: 2 } })).body.committed).toBe(0);
});

test('a count includes the committed units', async () => {
  const variant = await aSellableVariant();
  await aPaidOrder(lines(variant, 4));
  const same = await count(variant, { counted: 10 });
  expect([same.status, same.body.unchanged]).toEqual([200, 1]);
  expect((await count(variant, { counted: 9 })).body.changed).toBe(1);
  expect(await showItem(variant.id)).toEqual({ count_on_hand: 5, committed: 4 });
  await expectNoViolations();
});

test('a count of a backorderable item counts what it owes', async () => {
  const variant = await aSellableVariant({ stock: 1, backorderable: true });
  await aPaidOrder(lines(variant, 3));
  expect(await showItem(variant.id)).toEqual({ count_on_hand: -2, committed: 3 });
  expect((await count(variant, { counted: 1 })).body.unchanged).toBe(1);
  expect((await count(variant, { counted: 6 })).status).toBe(200);
  expect(await showItem(variant.id)).toEqual({ count_on_hand: 3, committed: 3 });
  await expectNoViolations();
});

test('a count of fewer units than are committed, below zero or with another count is refused', async () => {
  const variant = await aSellableVariant();
  await aPaidOrder(lines(variant, 4));
  const refuse = async (row: object, errors: object) => {
    const reply = await count(variant, row);
    expect([reply.status, reply.body.results[0].errors]).toEqual([422, errors]);
  };
  await refuse({ counted: 3 }, { counted: ['must not be less than the committed units'] });
  await refuse({ counted: -1 }, { counted: ['must be greater than or equal to 0'] });
  await refuse({ counted: 3, adjust: 1 }, { counted: ['cannot be combined with count_on_hand or adjust'] });
  expect(await getCountOnHand(variant.id)).toBe(6);
});

test('the number of statements does not depend on the number of items', async () => {
  const path = `/stock_locations/${await getDefaultLocationId()}/stock_items`;
  const admin = await asAdmin();
  await aPaidOrder(lines(await aSellableVariant(), 1));
  await aPaidOrder(lines(await aSellableVariant(), 1));
  const countFor = (size: number) => countQueries(() => admin.get(`${path}?per_page=${size}`));
  await countFor(1);
  const [one, many] = [await countFor(1), await countFor(2)];
  expect(many).toBe(one);
});

test('committed units are found by index', async () => {
  const plan = await testDb().transaction(async (tx) => {
    await tx.raw('SET LOCAL enable_seqscan = off');
    const { rows } = await tx.raw(
      `EXPLAIN SELECT shipment_id FROM inventory_units WHERE variant_id = ANY('{1,2}') AND state = 'on_hand' AND NOT pending`,
    );
    return JSON.stringify(rows);
  });
  expect(plan).toContain('inventory_units_on_hand_index');
});
