import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState, buildPaymentBody } from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { countQueries } from '../../support/queries';
import { aPaidOrder, aShippedOrder, getCountOnHand, readOrder } from '../../support/shipments.factory';
import { aStockLocation } from '../../support/stock.factory';
import { unique } from '../../support/unique';
import { asAdmin } from '../../support/accounts.factory';
import { invalid } from '../../support/error-bodies';

/** Creates a paid order of two units. Returns the path of its line too. */
async function createPaidOrder(attributes: { stock?: number; backorderable?: boolean } = {}) {
  const variant = await aSellableVariant({ stock: 5, ...attributes });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 2 }] });
  const lines = `/orders/${order.number}/line_items`;
  return { variant, order, lines, line: `${lines}/${order.line_items[0].id}`, admin: await asAdmin() };
}

describe('changing lines of a complete order', () => {
  test('increasing a line takes stock into the pending shipment and leaves a balance due', async () => {
    const { variant, order, line, admin } = await createPaidOrder();
    expect((await admin.put(line, { line_item: { quantity: 4 } })).status).toBe(200);
    expect(await getCountOnHand(variant.id)).toBe(1);
    expect(await readOrder(order.number)).toMatchObject({
      state: 'complete',
      payment_state: 'balance_due',
      shipments: [{ state: 'pending', manifest: [{ quantity: 4, states: { on_hand: 4 } }] }],
    });
    const movement = await testDb()('stock_movements').orderBy('id', 'desc').first('*');
    expect(movement).toMatchObject({
      quantity: -2,
      originator_type: 'Store::Shipment',
      originator_id: order.shipments[0].id,
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('backordered units get their own shipment', async () => {
    const { variant, order, line, admin } = await createPaidOrder({ stock: 3, backorderable: true });
    await admin.put(line, { line_item: { quantity: 5 } });
    const { shipments, shipment_state, ship_total } = await readOrder(order.number);
    expect(shipments).toMatchObject([
      { manifest: [{ quantity: 3, states: { on_hand: 3 } }], cost: '5.0' },
      { manifest: [{ quantity: 2, states: { backordered: 2 } }], cost: '0.0', state: 'pending' },
    ]);
    expect([shipment_state, ship_total]).toEqual(['backorder', '5.0']);
    expect(await getCountOnHand(variant.id)).toBe(-2);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('units of another shipping category get their own shipment', async () => {
    const { order, lines, admin } = await createPaidOrder();
    const method = await testDb()('shipping_methods').whereNull('deleted_at').orderBy('id').first('id');
    const bulky = await aSellableVariant({ product: { shipping_category: unique('Bulky') } });
    const { shipping_category_id } = await testDb()('products').where({ id: bulky.product_id }).first('*');
    const link = { shipping_method_id: method.id, shipping_category_id };
    await testDb()('shipping_method_categories').insert(link);
    expect((await admin.post(lines, { line_item: { variant_id: bulky.id } })).status).toBe(201);
    const { shipments } = await readOrder(order.number);
    expect(shipments).toHaveLength(2);
    expect(shipments[1]).toMatchObject({ cost: '0.0', manifest: [{ variant_id: bulky.id, quantity: 1 }] });
    expect(shipments[1].shipping_rates).toHaveLength(1);
    await testDb()('shipping_method_categories').where(link).delete();
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('decreasing a line restocks, deleting it deletes its shipment', async () => {
    const { variant, order, line, admin } = await createPaidOrder();
    await admin.put(line, { line_item: { quantity: 1 } });
    expect(await getCountOnHand(variant.id)).toBe(4);
    expect(await readOrder(order.number)).toMatchObject({
      payment_state: 'credit_owed',
      shipments: [{ state: 'ready', manifest: [{ quantity: 1 }] }],
    });
    expect((await admin.delete(line)).status).toBe(204);
    expect(await getCountOnHand(variant.id)).toBe(5);
    expect(await readOrder(order.number)).toMatchObject({ shipments: [], total: '0.0', ship_total: '0.0' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('replacing a line adds nothing to a shipment that is deleted', async () => {
    const { order, admin } = await createPaidOrder();
    const other = await aSellableVariant();
    const reply = await admin.put(`/orders/${order.number}`, {
      order: {
        line_items: [
          { id: order.line_items[0].id, quantity: 0 },
          { variant_id: other.id, quantity: 3 },
        ],
      },
    });
    expect(reply.status).toBe(200);
    expect((await readOrder(order.number)).shipments).toMatchObject([
      { manifest: [{ variant_id: other.id, quantity: 3 }], cost: '5.0' },
    ]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('restocked units fill the backorder of another order', async () => {
    const { variant, order, line, admin } = await createPaidOrder({ stock: 2, backorderable: true });
    const waiting = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
    await admin.put(line, { line_item: { quantity: 1 } });
    expect((await readOrder(waiting.number)).shipments).toMatchObject([{ state: 'ready' }]);
    await expectNoViolations({ order_ids: [order.id, waiting.id] });
  });

  test('shipped units cannot be removed; additional ones get a new shipment', async () => {
    const variant = await aSellableVariant({ stock: 5 });
    const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity: 2 }] });
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    const admin = await asAdmin();
    const refused = await admin.put(path, { line_item: { quantity: 1 } });
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual(invalid({ quantity: ['cannot be less than the number of shipped units.'] }));
    expect((await admin.put(path, { line_item: { quantity: 3 } })).status).toBe(200);
    expect(await readOrder(order.number)).toMatchObject({
      shipment_state: 'partial',
      shipments: [
        { state: 'shipped', manifest: [{ quantity: 2, states: { shipped: 2 } }] },
        { state: 'pending', manifest: [{ quantity: 1, states: { on_hand: 1 } }] },
      ],
    });
    expect(await getCountOnHand(variant.id)).toBe(2);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('returns 422 beyond the stock and beyond the limits of an order', async () => {
    const { variant, order, line, admin } = await createPaidOrder({ stock: 3 });
    const reply = await admin.put(line, { line_item: { quantity: 4 } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors.quantity).toEqual([expect.stringMatching(/is not available\.$/)]);
    expect(await getCountOnHand(variant.id)).toBe(1);
    const endless = await createPaidOrder({ backorderable: true });
    const bounded = await endless.admin.put(endless.line, { line_item: { quantity: 2_000_000_000 } });
    expect(bounded.body).toEqual(invalid({ quantity: ['must be less than or equal to 20000'] }));
    const { name } = await testDb()('products').where({ id: endless.variant.product_id }).first('name');
    expect(bounded.headers['x-error-hint']).toBe(
      `An order has at most 20000 units, so that of "${name}" can be at most 20000.`,
    );
    const added = await endless.admin.put(`/shipments/${endless.order.shipments[0].number}/add`, {
      variant_id: endless.variant.id,
      quantity: 20_000,
    });
    expect(added.body).toEqual(invalid({ quantity: ['must be less than or equal to 19998'] }));
    expect(added.headers['x-error-hint']).toBe(
      `An order has at most 20000 units, so that at most 19998 of "${name}" can be added.`,
    );
    // Within the limit, only the stock decides.
    const most = await admin.put(`/shipments/${order.shipments[0].number}/add`, {
      variant_id: variant.id,
      quantity: 19_998,
    });
    expect(most.body.errors.quantity).toEqual([expect.stringMatching(/is not available\.$/)]);
    await expectNoViolations({ order_ids: [order.id, endless.order.id] });
  });

  test('takes as many statements for one line of many as for a single one', async () => {
    const variants = [];
    for (let made = 0; made < 6; made++) variants.push((await aSellableVariant()).id);
    const admin = await asAdmin();
    const raise = async (ids: number[]): Promise<number> => {
      const order = await orderInState('complete', { lines: ids.map((variant_id) => ({ variant_id })) });
      const line_items = order.line_items.map(({ id }: { id: number }) => ({ id, quantity: 2 }));
      return countQueries(() => admin.put(`/orders/${order.number}`, { order: { line_items } }));
    };
    expect(await raise(variants)).toBe(await raise(variants.slice(0, 1)));
  });

  test('added units come from the location that has them', async () => {
    const { variant, order, line, admin } = await createPaidOrder({ stock: 2 });
    const depot = await aStockLocation();
    await admin.post(`/stock_locations/${depot.id}/stock_items`, {
      stock_item: { variant_id: variant.id, count_on_hand: 1 },
    });
    await admin.put(line, { line_item: { quantity: 3 } });
    expect((await readOrder(order.number)).shipments).toMatchObject([
      { stock_location_name: 'default', manifest: [{ quantity: 2 }] },
      { stock_location_name: depot.name, manifest: [{ quantity: 1 }] },
    ]);
    expect([await getCountOnHand(variant.id), await getCountOnHand(variant.id, depot.id)]).toEqual([0, 0]);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('discounts of a complete order', () => {
  /**
   * Creates an order of two units at ten dollars and shipping of five with these discounts. Returns the path
   * of its line too.
   */
  async function createDiscountedOrder(actions: object[]) {
    const variant = await aSellableVariant({ price: '10' });
    const { code } = await aPromotion({ actions });
    const lines = [{ variant_id: variant.id, quantity: 2 }];
    const order = await orderInState('payment', { lines });
    const shopper = api(order.caller);
    await shopper.put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
    await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
    const { body } = await shopper.put(`/checkouts/${order.number}/advance`);
    expect(body.state).toBe('complete');
    return { order: body, line: `/orders/${order.number}/line_items/${body.line_items[0].id}` };
  }

  /** Updates the only line of the order and returns the resulting amounts. */
  async function changeLine(
    { order, line }: Awaited<ReturnType<typeof createDiscountedOrder>>,
    line_item: object,
  ): Promise<unknown[]> {
    expect((await (await asAdmin()).put(line, { line_item })).status).toBe(200);
    await expectNoViolations({ order_ids: [order.id] });
    const { total, adjustment_total, line_items } = await readOrder(order.number);
    return [total, adjustment_total, line_items[0].total];
  }

  test('follow a percentage both ways', async () => {
    const sold = await createDiscountedOrder([{ type: 'order_percent', percent: '100' }]);
    expect(sold.order).toMatchObject({ total: '5.0', adjustment_total: '-20.0' });
    expect(await changeLine(sold, { quantity: 1 })).toEqual(['5.0', '-10.0', '0.0']);
    expect(await changeLine(sold, { quantity: 3 })).toEqual(['5.0', '-30.0', '0.0']);
    expect(await changeLine(sold, { price: '3.33' })).toEqual(['5.0', '-9.99', '0.0']);
  });

  test('of a flat amount shrink in proportion', async () => {
    const sold = await createDiscountedOrder([{ type: 'order_amount', amount: '4' }]);
    expect(await changeLine(sold, { quantity: 1 })).toEqual(['13.0', '-2.0', '8.0']);
    expect(await changeLine(sold, { price: '4' })).toEqual(['8.2', '-0.8', '3.2']);
  });

  test('become 0 with the discounted amount, and come back with it', async () => {
    const sold = await createDiscountedOrder([
      { type: 'line_amount', amount: '5' },
      { type: 'order_percent', percent: '50' },
    ]);
    expect(await changeLine(sold, { quantity: 2 })).toEqual(['10.0', '-15.0', '5.0']);
    expect(await changeLine(sold, { price: '0' })).toEqual(['5.0', '0.0', '0.0']);
    expect(await changeLine(sold, { price: '10' })).toEqual(['10.0', '-15.0', '5.0']);
  });

  test('on shipping follow a cheaper rate', async () => {
    const { order } = await createDiscountedOrder([{ type: 'free_shipping' }]);
    expect(order).toMatchObject({ ship_total: '5.0', adjustment_total: '-5.0', total: '20.0' });
    const [shipment] = order.shipments;
    const [rate] = await testDb()('shipping_rates')
      .where({ shipment_id: shipment.id, selected: false })
      .update({ cost: '2' })
      .returning('id');
    const { status } = await (
      await asAdmin()
    ).put(`/shipments/${shipment.number}`, { shipment: { selected_shipping_rate_id: rate.id } });
    expect(status).toBe(200);
    expect(await readOrder(order.number)).toMatchObject({
      ship_total: '2.0',
      adjustment_total: '-2.0',
      total: '20.0',
    });
    await expectNoViolations({ order_ids: [order.id] });
  });
});
