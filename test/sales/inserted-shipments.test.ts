import { withTransaction } from '../../src/platform/database/transaction';
import { buildShipment } from '../../src/sales/fulfilment/new-shipment';
import { loadOrderGraph } from '../../src/sales/order/load-order-graph';
import { lockOrder } from '../../src/sales/order/order-lock';
import { createDraft, storeParts } from '../../src/sales/order-updater/order-draft';
import { testDb } from '../support/database';
import { aSellableVariant, orderInState } from '../support/orders.factory';

test('new shipments are stored as they are read with their order', async () => {
  const variants = [await aSellableVariant({ stock: 9 }), await aSellableVariant({ stock: 9 })];
  const { id } = await orderInState('address', {
    lines: variants.map((variant) => ({ variant_id: variant.id, quantity: 3 })),
  });
  const [location] = await testDb()('stock_locations').select<{ id: number; name: string }[]>('id', 'name');
  const methods = await testDb()('shipping_methods').orderBy('id', 'desc').select('id', 'name', 'code');
  await withTransaction({ db: testDb() }, async (tx) => {
    const order = await lockOrder(tx, { id });
    const [first, second] = order.line_items.map((line) => ({
      line_item_id: line.id,
      variant_id: line.variant_id,
    }));
    if (first === undefined || second === undefined) throw new Error('the order has no line items');
    const place = {
      stock_location_id: location?.id ?? 0,
      stock_location_name: location?.name ?? '',
      cost: '5',
    };
    const full = buildShipment(order, {
      ...place,
      units: [
        { ...second, state: 'on_hand', quantity: 2 },
        { ...first, state: 'on_hand', quantity: 1, counted: false },
        { ...second, state: 'backordered', quantity: 1 },
        { ...first, state: 'on_hand', quantity: 2 },
      ],
      rates: methods.map((method, rank) => ({
        shipping_method_id: method.id,
        shipping_method_name: method.name,
        shipping_method_code: method.code,
        selected: rank === 0,
        cost: rank === 0 ? '9.5' : '10',
        display_cost: '$',
      })),
    });
    const empty = buildShipment(order, { ...place, cost: '0.0', units: [], rates: [] });
    const added = { ...order, shipments: [full, empty] };
    const stored = await storeParts(tx, { ...createDraft(order), order: added });
    const read = (await loadOrderGraph(tx, id)).shipments;
    // Costs are written with other zeros, and the order existed before.
    const normalized = stored.order.shipments.map((shipment, index) => ({
      ...shipment,
      cost: index === 0 ? '5.00' : '0.00',
      is_added: true,
      rates: shipment.rates.map((rate) => ({ ...rate, cost: Number(rate.cost).toFixed(2) })),
    }));
    expect(read).toEqual(normalized);
    expect(read.map(({ cost, units, rates }) => [cost, units.length, rates.length])).toEqual([
      ['5.00', 3, methods.length],
      ['0.00', 0, 0],
    ]);
    const counts = read[0]?.units.map(({ quantity, counted_quantity }) => [quantity, counted_quantity]);
    expect(counts).toEqual([
      [2, 2],
      [3, 2],
      [1, 1],
    ]);
  });
});
