import { asAdmin } from '../../support/accounts.factory';
import { aSellableVariant } from '../../support/orders.factory';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { explainQueries } from '../../support/queries';
import { aPaidOrder, readOrder, getCountOnHand } from '../../support/shipments.factory';
import { aStockLocation } from '../../support/stock.factory';
import { MAX_UNITS } from '../../../src/sales/fulfilment/proposal';

/** Orders of as many units as an order may have. Each unit is a row; an audit entry for each would take longer than requests may. */

// Statistics from before the large orders are what autovacuum leaves for up to a minute.
beforeAll(async () => {
  const { id: variant_id } = await aVariant();
  for (let count = 0; count < 3; count += 1) await aPaidOrder({ lines: [{ variant_id, quantity: 1 }] });
  await testDb().raw('ANALYZE');
  await testDb().raw('ALTER TABLE inventory_units SET (autovacuum_enabled = off)');
});

async function aVariant(): Promise<{ id: number }> {
  return aSellableVariant({ stock: MAX_UNITS, price: '0.01' });
}

test('an order of the most units is shipped and returned', async () => {
  const { id: variant_id } = await aVariant();
  const order = await aPaidOrder({ lines: [{ variant_id, quantity: MAX_UNITS }] });
  const admin = await asAdmin();
  const shipped = await admin.put(`/shipments/${order.shipments[0].number}/ship`);
  expect([shipped.status, shipped.body.state]).toEqual([200, 'shipped']);
  const logged = await testDb()('audit_log')
    .where({ request_id: shipped.headers['x-request-id'] })
    .whereRaw("changes -> 'state' ->> 1 = 'shipped' AND changes -> 'state' ->> 0 = 'on_hand'");
  expect(logged).toMatchObject([
    {
      action: 'update',
      subject_type: 'Store::Shipment',
      subject_id: order.shipments[0].id,
      changes: { state: ['on_hand', 'shipped'], quantity: [MAX_UNITS, MAX_UNITS] },
    },
  ]);
  const reason = await testDb()('return_authorization_reasons').first('id');
  const location = order.shipments[0].stock_location_name;
  const { id: stock_location_id } = await testDb()('stock_locations').where({ name: location }).first('id');
  const path = `/orders/${order.number}/return_authorizations`;
  const made = await admin.post(path, {
    return_authorization: { stock_location_id, return_authorization_reason_id: reason.id },
  });
  const added = await admin.put(`${path}/${made.body.id}/add`, { variant_id, quantity: MAX_UNITS });
  expect(added.status).toBe(200);
  const received = await admin.put(`${path}/${made.body.id}/receive`);
  expect(received.status).toBe(200);
  expect((await readOrder(order.number)).state).toBe('returned');
});

test('an order of the most units is transferred and canceled', async () => {
  const { id: variant_id } = await aVariant();
  const order = await aPaidOrder({ lines: [{ variant_id, quantity: MAX_UNITS }] });
  const admin = await asAdmin();
  const depot = await aStockLocation();
  await admin.post(`/stock_locations/${depot.id}/stock_items`, {
    stock_item: { variant_id, count_on_hand: MAX_UNITS },
  });
  const [{ number }] = order.shipments;
  const move = { original_shipment_number: number, variant_id, quantity: MAX_UNITS };
  const transfer = async (): Promise<void> => {
    const location = { stock_location_id: depot.id };
    const moved = await admin.post('/shipments/transfer_to_location', { ...move, ...location });
    expect(moved.status).toBe(201);
  };
  // Any other plan reads the whole array of units for each unit of the order.
  expect(await explainQueries('UPDATE inventory_units', transfer)).toEqual([
    expect.stringContaining('Index Cond: (id = u.id)'),
  ]);
  const canceled = await admin.put(`/orders/${order.number}/cancel`);
  expect([canceled.status, canceled.body.state]).toEqual([200, 'canceled']);
  expect(await getCountOnHand(variant_id, depot.id)).toBe(MAX_UNITS);
  await expectNoViolations({ order_ids: [order.id] });
});
