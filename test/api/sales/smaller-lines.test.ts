import { asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant } from '../../support/orders.factory';
import { aPaidOrder, getCountOnHand } from '../../support/shipments.factory';
import { aWaitingOrder } from '../../support/stock.factory';

const listUnitStates = (orderId: number): Promise<string[]> =>
  testDb()('inventory_units').where({ order_id: orderId }).orderBy('id').pluck('state');

describe('which units leave a line', () => {
  test('backordered ones before those on hand, whatever shipment they are in', async () => {
    const { id } = await aSellableVariant({ stock: 2, backorderable: true });
    const order = await aPaidOrder({ lines: [{ variant_id: id, quantity: 4 }] });
    expect((await listUnitStates(order.id)).sort()).toEqual([
      'backordered',
      'backordered',
      'on_hand',
      'on_hand',
    ]);
    // The shipment on hand becomes the newest one.
    const onHand = order.shipments.find((one: any) => one.manifest[0].states.on_hand === 2);
    const backordered = order.shipments.find((one: any) => one.number !== onHand.number);
    const [low, high] = [onHand.id, backordered.id].sort((one, other) => one - other);
    if (onHand.id === low) {
      const target = await testDb()('inventory_units').where({ shipment_id: low }).pluck('id');
      await testDb()('inventory_units').where({ shipment_id: high }).update({ shipment_id: low });
      await testDb()('inventory_units').whereIn('id', target).update({ shipment_id: high });
    }
    // An older order would get the unit that leaves, if it were one on hand.
    const item = await testDb()('stock_items').where({ variant_id: id, deleted_at: null }).first();
    const older = await aWaitingOrder(item, { completed_at: new Date('2020-01-01') });
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    const admin = await asAdmin();
    expect((await admin.put(path, { line_item: { quantity: 3 } })).status).toBe(200);
    expect((await listUnitStates(order.id)).sort()).toEqual(['backordered', 'on_hand', 'on_hand']);
    expect((await admin.put(path, { line_item: { quantity: 2 } })).status).toBe(200);
    expect(await listUnitStates(order.id)).toEqual(['on_hand', 'on_hand']);
    expect(await listUnitStates(older.id)).toEqual(['backordered']);
    expect(await getCountOnHand(id)).toBe(-1);
    await expectNoViolations({ order_ids: [order.id] });
    expect((await admin.put(path, { line_item: { quantity: 1 } })).status).toBe(200);
    expect(await listUnitStates(older.id)).toEqual(['on_hand']);
  });
});
