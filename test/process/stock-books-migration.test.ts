import { down, up } from '../../migrations/20261122_1300_stock_books';
import { testDb } from '../support/database';
import { runSteps } from '../support/migrations';
import { aPaidOrder } from '../support/shipments.factory';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { aStockItem } from '../support/stock.factory';

const TABLES = ['stock_items', 'stock_movements', 'inventory_units'];

async function countRows(): Promise<number[]> {
  const counts = await Promise.all(TABLES.map((table) => testDb()(table).count<{ count: string }[]>()));
  return counts.map(([row]) => Number(row?.count));
}

test('completes the books of a store that has sold and deleted', async () => {
  const db = testDb();
  const [tracked, untracked] = [await aSellableVariant(), await aSellableVariant()];
  await db('variants').where({ id: untracked.id }).update({ track_inventory: false });
  const orders = [
    await aPaidOrder({ lines: [{ variant_id: tracked.id, quantity: 2 }] }),
    await aPaidOrder({ lines: [{ variant_id: untracked.id, quantity: 2 }] }),
    await orderInState('payment', { lines: [{ variant_id: untracked.id, quantity: 1 }] }),
  ];
  const owing = await aStockItem({ count_on_hand: -2, backorderable: true });
  const deleted = await aStockItem({ count_on_hand: 5 });
  await db('stock_items').where({ id: owing.id }).update({ backorderable: false });
  const before = await countRows();

  await runSteps(down);
  expect(await db('stock_items').where({ id: owing.id }).first()).toMatchObject({ backorderable: true });
  await db('stock_items').where({ id: deleted.id }).update({ deleted_at: new Date() });
  await runSteps(up);

  const [items = 0, movements = 0, units = 0] = before;
  expect(await countRows()).toEqual([items, movements + 1, units]);
  expect(await db('stock_items').where({ id: deleted.id }).first('count_on_hand')).toEqual({
    count_on_hand: 0,
  });
  expect(
    await db('stock_movements').where({ stock_item_id: deleted.id }).orderBy('id').pluck('quantity'),
  ).toEqual([5, -5]);
  const counted = await Promise.all(
    orders.map(({ id }) => db('inventory_units').where({ order_id: id }).pluck('counted')),
  );
  expect(counted).toEqual([[true, true], [false, false], [true]]);
  await expect(
    db('stock_items').where({ id: deleted.id }).update({ count_on_hand: 1 }),
  ).rejects.toMatchObject({ constraint: 'stock_items_deleted_empty' });
});
