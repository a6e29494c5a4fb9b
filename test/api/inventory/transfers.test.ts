import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  readOrder,
} from '../../support/shipments.factory';
import { aStockLocation } from '../../support/stock.factory';

const TRANSFERRED = { success: true, message: 'Variants successfully transferred' };
const FAILED = { success: false, message: 'There was an error transferring variants' };

/** Creates a location with that many units of a variant. */
async function createLocationWithStock(variantId: number, count_on_hand: number, backorderable = false) {
  const depot = await aStockLocation();
  const reply = await (
    await asAdmin()
  ).post(`/stock_locations/${depot.id}/stock_items`, {
    stock_item: { variant_id: variantId, count_on_hand, backorderable },
  });
  expect(reply.status).toBe(201);
  return depot;
}

async function createPaidOrder(
  attributes: { stock?: number; backorderable?: boolean; quantity?: number } = {},
) {
  const { stock = 10, backorderable = false, quantity = 3 } = attributes;
  const variant = await aSellableVariant({ stock, backorderable });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity }] });
  return { variant, order, number: order.shipments[0].number, admin: await asAdmin() };
}

describe('to a location', () => {
  test('creates a shipment there; stock moves, the line stays', async () => {
    const { variant, order, number, admin } = await createPaidOrder();
    const depot = await createLocationWithStock(variant.id, 5);
    const reply = await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: number,
      variant_id: variant.id,
      quantity: 2,
      stock_location_id: depot.id,
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual(TRANSFERRED);
    expect(await readOrder(order.number)).toMatchObject({
      total_quantity: 3,
      total: order.total,
      ship_total: '5.0',
      payment_state: 'paid',
      shipments: [
        { number, stock_location_name: 'default', state: 'ready', cost: '5.0', manifest: [{ quantity: 1 }] },
        {
          state: 'ready',
          stock_location_name: depot.name,
          cost: '0.0',
          manifest: [{ quantity: 2, states: { on_hand: 2 } }],
        },
      ],
    });
    expect(await getCountOnHand(variant.id)).toBe(9);
    expect(await getCountOnHand(variant.id, depot.id)).toBe(3);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('the books hold for units that were split off before they moved', async () => {
    const { variant, order, number, admin } = await createPaidOrder();
    const depot = await createLocationWithStock(variant.id, 5);
    const units = { variant_id: variant.id, quantity: 2 };
    await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: number,
      ...units,
      stock_location_id: await getDefaultLocationId(),
    });
    const [, split] = (await readOrder(order.number)).shipments;
    expect(split).toMatchObject({ stock_location_name: 'default', manifest: [{ quantity: 2 }] });
    // This empties the shipment that was split off, so it is deleted.
    await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: split.number,
      ...units,
      stock_location_id: depot.id,
    });
    expect(await getCountOnHand(variant.id)).toBe(9);
    expect(await getCountOnHand(variant.id, depot.id)).toBe(3);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('transferring all units deletes the shipment', async () => {
    const { variant, order, number, admin } = await createPaidOrder();
    const depot = await createLocationWithStock(variant.id, 2, true);
    const reply = await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: number,
      variant_id: variant.id,
      quantity: 3,
      stock_location_id: depot.id,
    });
    expect(reply.status).toBe(201);
    const { shipments, shipment_state } = await readOrder(order.number);
    expect(shipments).toHaveLength(1);
    expect(shipments[0]).toMatchObject({ manifest: [{ states: { on_hand: 2, backordered: 1 } }] });
    expect(shipment_state).toBe('backorder');
    expect((await admin.put(`/shipments/${number}`)).status).toBe(404);
    expect([await getCountOnHand(variant.id), await getCountOnHand(variant.id, depot.id)]).toEqual([10, -1]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('at the same location units keep their states; backordered ones are split off', async () => {
    const { variant, order, number, admin } = await createPaidOrder({
      stock: 2,
      backorderable: true,
      quantity: 2,
    });
    await admin.put(`/shipments/${number}/add`, { variant_id: variant.id });
    const reply = await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: number,
      variant_id: variant.id,
      stock_location_id: await getDefaultLocationId(),
    });
    expect(reply.status).toBe(201);
    expect((await readOrder(order.number)).shipments).toMatchObject([
      { manifest: [{ quantity: 2, states: { on_hand: 2 } }] },
      { manifest: [{ quantity: 1, states: { backordered: 1 } }] },
    ]);
    expect(await getCountOnHand(variant.id)).toBe(-1);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('returns 422 and changes nothing without enough stock or enough units', async () => {
    const { variant, order, number, admin } = await createPaidOrder();
    const depot = await createLocationWithStock(variant.id, 1);
    const body = {
      original_shipment_number: number,
      variant_id: variant.id,
      quantity: 2,
      stock_location_id: depot.id,
    };
    const other = await aSellableVariant();
    for (const change of [{}, { quantity: 4 }, { variant_id: other.id }]) {
      const reply = await admin.post('/shipments/transfer_to_location', { ...body, ...change });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(FAILED);
    }
    for (const change of [{ original_shipment_number: 'H0' }, { stock_location_id: 2147483647 }]) {
      expect((await admin.post('/shipments/transfer_to_location', { ...body, ...change })).status).toBe(404);
    }
    for (const quantity of [0, -1, 'two']) {
      const reply = await admin.post('/shipments/transfer_to_location', { ...body, quantity });
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.errors)).toEqual(['quantity']);
    }
    const nothing = await admin.post('/shipments/transfer_to_location');
    expect(Object.keys(nothing.body.errors)).toEqual([
      'original_shipment_number',
      'variant_id',
      'stock_location_id',
    ]);
    expect((await readOrder(order.number)).shipments).toMatchObject([
      { number, manifest: [{ quantity: 3 }] },
    ]);
    expect([await getCountOnHand(variant.id), await getCountOnHand(variant.id, depot.id)]).toEqual([7, 1]);
  });

  test('for a cart moves no stock', async () => {
    const order = await orderInState('delivery');
    const [line] = order.line_items;
    const depot = await createLocationWithStock(line.variant_id, 1);
    const reply = await (
      await asAdmin()
    ).post('/shipments/transfer_to_location', {
      original_shipment_number: order.shipments[0].number,
      variant_id: line.variant_id,
      quantity: 1,
      stock_location_id: depot.id,
    });
    expect(reply.status).toBe(201);
    expect(await readOrder(order.number)).toMatchObject({ state: 'delivery', ship_total: '10.0' });
    expect([await getCountOnHand(line.variant_id), await getCountOnHand(line.variant_id, depot.id)]).toEqual([
      10, 1,
    ]);
  });

  test('shipped units cannot be transferred', async () => {
    const order = await aShippedOrder();
    const reply = await (
      await asAdmin()
    ).post('/shipments/transfer_to_location', {
      original_shipment_number: order.shipments[0].number,
      variant_id: order.line_items[0].variant_id,
      stock_location_id: await getDefaultLocationId(),
    });
    expect(reply.body).toEqual(FAILED);
  });

  test('restocked units fill other backorders', async () => {
    const { variant, order, number, admin } = await createPaidOrder({ stock: 3, backorderable: true });
    const waiting = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
    const depot = await createLocationWithStock(variant.id, 3);
    await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: number,
      variant_id: variant.id,
      quantity: 3,
      stock_location_id: depot.id,
    });
    expect((await readOrder(waiting.number)).shipments).toMatchObject([{ state: 'ready' }]);
    expect([await getCountOnHand(variant.id), await getCountOnHand(variant.id, depot.id)]).toEqual([2, 0]);
    await expectNoViolations({ order_ids: [order.id, waiting.id] });
  });
});

describe('to a shipment', () => {
  async function createTwoShipments() {
    const made = await createPaidOrder();
    const depot = await createLocationWithStock(made.variant.id, 5);
    await made.admin.post('/shipments/transfer_to_location', {
      original_shipment_number: made.number,
      variant_id: made.variant.id,
      quantity: 1,
      stock_location_id: depot.id,
    });
    const { shipments } = await readOrder(made.order.number);
    return { ...made, depot, target: shipments[1].number };
  }

  test('of the same order adds the units to it', async () => {
    const { variant, order, number, target, depot, admin } = await createTwoShipments();
    const reply = await admin.post('/shipments/transfer_to_shipment', {
      original_shipment_number: number,
      variant_id: variant.id,
      quantity: 2,
      target_shipment_number: target,
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual(TRANSFERRED);
    expect(await readOrder(order.number)).toMatchObject({
      ship_total: '5.0',
      payment_state: 'paid',
      shipments: [{ number: target, state: 'ready', manifest: [{ quantity: 3 }] }],
    });
    expect([await getCountOnHand(variant.id), await getCountOnHand(variant.id, depot.id)]).toEqual([10, 2]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('returns 422 for a shipped one, and moves nothing', async () => {
    const { variant, order, number, target, depot, admin } = await createTwoShipments();
    expect((await admin.put(`/shipments/${target}/ship`)).status).toBe(200);
    const reply = await admin.post('/shipments/transfer_to_shipment', {
      original_shipment_number: number,
      target_shipment_number: target,
      variant_id: variant.id,
      quantity: 1,
    });
    expect([reply.status, reply.body]).toEqual([422, FAILED]);
    const { shipments } = await readOrder(order.number);
    expect(shipments.map(({ state, manifest }: any) => [state, manifest[0].quantity])).toEqual([
      ['ready', 2],
      ['shipped', 1],
    ]);
    expect([await getCountOnHand(variant.id), await getCountOnHand(variant.id, depot.id)]).toEqual([8, 4]);
  });

  test('returns 422 for itself and for a shipment of another order', async () => {
    const { variant, order, number, admin } = await createTwoShipments();
    const other = await aPaidOrder();
    const body = { original_shipment_number: number, variant_id: variant.id, quantity: 1 };
    for (const target_shipment_number of [number, other.shipments[0].number]) {
      const reply = await admin.post('/shipments/transfer_to_shipment', { ...body, target_shipment_number });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(FAILED);
    }
    const unknown = { ...body, target_shipment_number: 'H0' };
    expect((await admin.post('/shipments/transfer_to_shipment', unknown)).status).toBe(404);
    expect((await readOrder(order.number)).shipments).toMatchObject([
      { manifest: [{ quantity: 2 }] },
      { manifest: [{ quantity: 1 }] },
    ]);
  });
});

test('only admins may transfer', async () => {
  for (const caller of [{}, await aCustomer()]) {
    for (const path of ['transfer_to_location', 'transfer_to_shipment']) {
      expect((await api(caller).post(`/shipments/${path}`)).status).toBe(401);
    }
  }
});
