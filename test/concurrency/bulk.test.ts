import { asAdmin } from '../support/accounts.factory';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { waitUntilBlockedBy } from '../support/locks';
import { aSellableVariant, getTotalOnHand, orderInState, showOrder } from '../support/orders.factory';
import { aProduct, aVariant } from '../support/products.factory';
import { getDefaultLocationId } from '../support/shipments.factory';
import { aStockLocation } from '../support/stock.factory';

const repeat = <T>(count: number, work: (place: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => work(place)));

test('adjustments of the same items in any order, by batches and by sales, add up', async () => {
  const admin = await asAdmin();
  const variants = [await aSellableVariant({ stock: 50 }), await aSellableVariant({ stock: 50 })];
  const home = (await testDb()('stock_locations').where({ name: 'default' }).first('id')).id;
  const rows = variants.map(({ id }) => ({ variant_id: id, stock_location_id: home, adjust: 1 }));
  const orders = [];
  for (const { id } of [...variants, ...variants])
    orders.push(await orderInState('confirm', { lines: [{ variant_id: id, quantity: 1 }] }));
  const replies = await Promise.all([
    repeat(10, (place) => admin.post('/bulk/stock', { rows: place % 2 === 0 ? rows : [...rows].reverse() })),
    Promise.all(orders.map((order) => admin.put(`/checkouts/${order.number}/next`))),
  ]);
  expect(replies.flat().map(({ status }) => status)).toEqual(Array.from({ length: 14 }, () => 200));
  for (const { id } of variants) expect(await getTotalOnHand(id)).toBe(58);
  await expectNoViolations();
});

test('a stock adjustment waits for the lock of the order whose backorder it fills', async () => {
  const admin = await asAdmin();
  const { id: variant_id } = await aSellableVariant({ stock: 0, backorderable: true });
  const order = await orderInState('complete', { lines: [{ variant_id, quantity: 1 }] });
  const stock_location_id = await getDefaultLocationId();
  const { sent } = await testDb().transaction(async (tx) => {
    await tx('orders').where({ id: order.id }).forUpdate().first('id');
    const reply = admin.post('/bulk/stock', { rows: [{ variant_id, stock_location_id, adjust: 1 }] });
    await waitUntilBlockedBy(tx);
    return { sent: reply };
  });
  expect((await sent).status).toBe(200);
  expect((await showOrder(order)).shipments[0].manifest).toMatchObject([{ states: { on_hand: 1 } }]);
});

test('batches that create the same stock items, and deletions of them, agree on one', async () => {
  const admin = await asAdmin();
  const variants = [await aSellableVariant(), await aSellableVariant()];
  const location = await aStockLocation({ propagate_all_variants: false });
  const rows = variants.map(({ id }) => ({ variant_id: id, stock_location_id: location.id, adjust: 1 }));
  const replies = await repeat(8, (place) =>
    admin.post('/bulk/stock', { rows: place % 2 === 0 ? rows : [...rows].reverse() }),
  );
  for (const { status } of replies) expect([200, 409]).toContain(status);
  const items = await testDb()('stock_items').where({ stock_location_id: location.id, deleted_at: null });
  const applied = replies.filter(({ status }) => status === 200).length;
  expect(items.map((item) => item.count_on_hand)).toEqual([applied, applied]);

  const mixed = await Promise.all([
    repeat(6, () => admin.post('/bulk/stock', { rows })),
    Promise.all(items.map((item) => admin.delete(`/stock_locations/${location.id}/stock_items/${item.id}`))),
    repeat(3, () => admin.post('/bulk/stock', { rows: [...rows].reverse() })),
  ]);
  for (const { status } of mixed.flat()) expect([200, 204, 404, 409, 422]).toContain(status);
  await expectNoViolations();
});

test('a batch creates no stock item at a location that is deleted meanwhile', async () => {
  const admin = await asAdmin();
  const { id: variant_id } = await aSellableVariant();
  const location = await aStockLocation({ propagate_all_variants: false });
  const { sent } = await testDb().transaction(async (tx) => {
    await tx('stock_locations').where({ id: location.id }).forUpdate().first('id');
    await tx('stock_locations').where({ id: location.id }).update({ deleted_at: new Date() });
    const rows = [{ variant_id, stock_location_id: location.id, adjust: 1 }];
    const reply = admin.post('/bulk/stock', { rows });
    await waitUntilBlockedBy(tx);
    return { sent: reply };
  });
  const { status, body } = await sent;
  expect([status, body.results[0].errors]).toEqual([422, { stock_location_id: ['does not exist'] }]);
  expect(await testDb()('stock_items').where({ stock_location_id: location.id })).toEqual([]);
});

test('prices by batches, by variants and of variants that are deleted meanwhile', async () => {
  const admin = await asAdmin();
  const product = await aProduct({ price: '10' });
  const variants = [];
  for (let count = 0; count < 4; count++) variants.push(await aVariant(product, { price: '12' }));
  const rows = variants.map(({ id }) => ({ variant_id: id, price: '15' }));
  const replies = await Promise.all([
    repeat(6, (place) =>
      admin.post('/bulk/prices', { rows: place % 2 === 0 ? rows : [...rows].reverse(), partial: true }),
    ),
    Promise.all(
      variants.map(({ id }) =>
        admin.put(`/products/${product.slug}/variants/${id}`, { variant: { price: '17' } }),
      ),
    ),
    admin.delete(`/products/${product.slug}/variants/${variants[3].id}`).then((reply) => [reply]),
  ]);
  for (const { status } of replies.flat()) expect([200, 204, 404, 409]).toContain(status);
  await expectNoViolations();
});

test('a location that is deleted while batches write to it is left without units', async () => {
  const admin = await asAdmin();
  const { id } = await aSellableVariant();
  const location = await aStockLocation({ propagate_all_variants: true });
  const rows = [{ variant_id: id, stock_location_id: location.id, adjust: 2 }];
  const [replies, deleted] = await Promise.all([
    repeat(6, () => admin.post('/bulk/stock', { rows })),
    admin.delete(`/stock_locations/${location.id}`),
  ]);
  expect(deleted.status).toBe(204);
  for (const { status } of replies) expect([200, 409, 422]).toContain(status);
  expect(await testDb()('stock_items').where({ stock_location_id: location.id, deleted_at: null })).toEqual(
    [],
  );
  await expectNoViolations();
});
