import { withTransaction } from '../../src/platform/database/transaction';
import { insertShipments } from '../../src/sales/fulfilment/proposed-shipments.repository';
import { loadOrderGraph } from '../../src/sales/order/load-order-graph';
import { lockOrder } from '../../src/sales/order/order-lock';
import { testDb } from '../support/database';
import { aSellableVariant, orderInState } from '../support/orders.factory';

test('inserted shipments are returned as they are read with their order', async () => {
  const variants = [await aSellableVariant({ stock: 9 }), await aSellableVariant({ stock: 9 })];
  const { id } = await orderInState('address', {
    lines: variants.map((variant) => ({ variant_id: variant.id, quantity: 3 })),
  });
  const locations = await testDb()('stock_locations').pluck<number[]>('id');
  const methods = await testDb()('shipping_methods').orderBy('id', 'desc').pluck<number[]>('id');
  await withTransaction({ db: testDb() }, async (tx) => {
    const order = await lockOrder(tx, { id });
    const [first, second] = order.line_items.map((line) => ({
      line_item_id: line.id,
      variant_id: line.variant_id,
    }));
    if (first === undefined || second === undefined) throw new Error('the order has no line items');
    const place = { stock_location_id: locations[0] ?? 0, cost: '5' };
    const stored = await insertShipments(tx, order, [
      {
        ...place,
        units: [
          { ...second, state: 'on_hand', quantity: 2 },
          { ...first, state: 'on_hand', quantity: 1, counted: false },
          { ...second, state: 'backordered', quantity: 1 },
          { ...first, state: 'on_hand', quantity: 2 },
        ],
        rates: methods.map((shipping_method_id, rank) => ({
          shipping_method_id,
          selected: rank === 0,
          cost: rank === 0 ? '9.5' : '10',
          display_cost: '$',
        })),
      },
      { ...place, cost: '0.0', units: [], rates: [] },
    ]);
    expect(stored).toEqual((await loadOrderGraph(tx, id)).shipments);
    expect(stored.map(({ cost, units, rates }) => [cost, units.length, rates.length])).toEqual([
      ['5.00', 3, methods.length],
      ['0.00', 0, 0],
    ]);
    const counts = stored[0]?.units.map(({ quantity, counted_quantity }) => [quantity, counted_quantity]);
    expect(counts).toEqual([
      [2, 2],
      [3, 2],
      [1, 1],
    ]);
  });
});
