import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { invalid } from '../../support/error-bodies';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { aPaidOrder, readOrder } from '../../support/shipments.factory';

const pathOf = (order: any): string => `/orders/${order.number}/adjustments`;

async function adjust(order: any, adjustment: object) {
  return (await asAdmin()).post(pathOf(order), { adjustment });
}

describe('manual adjustments', () => {
  test('of a complete order count in its total and in what is owed', async () => {
    const order = await aPaidOrder();
    const admin = await asAdmin();
    const reply = await adjust(order, { label: 'Goodwill', amount: '-5' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      label: 'Goodwill',
      amount: '-5.0',
      display_amount: '-$5.00',
      source_type: null,
      source_id: null,
      adjustable_type: 'Store::Order',
      adjustable_id: order.id,
      eligible: true,
      included: false,
    });
    expect(await readOrder(order.number)).toMatchObject({
      adjustment_total: '-5.0',
      total: '31.98',
      payment_state: 'credit_owed',
      adjustments: [{ id: reply.body.id, label: 'Goodwill' }],
    });
    const path = `${pathOf(order)}/${reply.body.id}`;
    const changed = await admin.put(path, { adjustment: { amount: '2.5' } });
    expect(changed.body).toMatchObject({ label: 'Goodwill', amount: '2.5' });
    expect((await admin.get(pathOf(order))).body.adjustments).toContainEqual(changed.body);
    expect(await readOrder(order.number)).toMatchObject({ total: '39.48', payment_state: 'balance_due' });
    expect((await admin.delete(path)).status).toBe(204);
    expect(await readOrder(order.number)).toMatchObject({ total: order.total, payment_state: 'paid' });
    expect((await admin.delete(path)).status).toBe(404);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('of a cart and its parts count in the total that is charged', async () => {
    const order = await orderInState('confirm');
    const [line] = order.line_items;
    const ofLine = await adjust(order, { label: 'Scratch', amount: '-3', line_item_id: line.id });
    expect(ofLine.body).toMatchObject({ adjustable_type: 'Store::LineItem', adjustable_id: line.id });
    const [{ id: shipment_id }] = order.shipments;
    const ofShipment = await adjust(order, { label: 'Delay', amount: '-1', shipment_id });
    expect(ofShipment.body).toMatchObject({ adjustable_type: 'Store::Shipment', locked: false });
    const { body } = await api(order.caller).put(`/checkouts/${order.number}/next`);
    expect(body).toMatchObject({
      state: 'complete',
      total: '32.98',
      payments: [{ amount: '32.98' }],
      line_items: [{ total: '28.98', adjustments: [{ label: 'Scratch', locked: true }] }],
    });
    const change = await (
      await asAdmin()
    ).put(`${pathOf(order)}/${ofLine.body.id}`, {
      adjustment: { label: 'Dent' },
    });
    expect(change.body).toMatchObject({ label: 'Dent', amount: '-3.0' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('of a canceled shipment are refused', async () => {
    const variant = await aSellableVariant({ stock: 9 });
    const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 2 }] });
    const [{ id: shipment_id, number }] = order.shipments;
    await (await asAdmin()).put(`/shipments/${number}/cancel`);
    const reply = await adjust(order, { label: 'Fragile', amount: '2', shipment_id });
    expect([reply.status, reply.body]).toEqual([422, invalid({ shipment_id: ['is canceled'] })]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('are refused if the order, a line item or a shipment would cost less than nothing', async () => {
    const order = await aPaidOrder();
    const [line] = order.line_items;
    const [shipment] = order.shipments;
    const negative = invalid({ amount: ['must be greater than or equal to 0'] });
    for (const adjustment of [
      { amount: '-36.99' },
      { amount: '-31.99', line_item_id: line.id },
      { amount: '-5.01', shipment_id: shipment.id },
    ]) {
      const reply = await adjust(order, { label: 'Too much', ...adjustment });
      expect([reply.status, reply.body]).toEqual([422, negative]);
    }
    const all = await adjust(order, { label: 'All of it', amount: '-31.98', line_item_id: line.id });
    expect(all.status).toBe(201);
    const more = await (
      await asAdmin()
    ).put(`${pathOf(order)}/${all.body.id}`, {
      adjustment: { amount: '-31.99' },
    });
    expect([more.status, more.body]).toEqual([422, negative]);
    expect(await readOrder(order.number)).toMatchObject({ total: '5.0' });
    // The line item cannot become cheaper than its adjustment.
    const smaller = await (
      await asAdmin()
    ).put(`/orders/${order.number}/line_items/${line.id}`, { line_item: { quantity: 1 } });
    expect([smaller.status, smaller.body]).toEqual([
      422,
      invalid({ total: ['must be greater than or equal to 0'] }),
    ]);
    expect(smaller.headers['x-error-hint']).toContain('change or delete such an adjustment');
    expect(more.headers['x-error-hint']).toBeUndefined();
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('an increase that other adjustments need cannot be removed', async () => {
    const order = await aPaidOrder();
    const fee = await adjust(order, { label: 'Gift wrap', amount: '10' });
    await adjust(order, { label: 'All of it', amount: '-46.98' });
    const reply = await (await asAdmin()).delete(`${pathOf(order)}/${fee.body.id}`);
    expect([reply.status, reply.body]).toEqual([
      422,
      invalid({ amount: ['must be greater than or equal to 0'] }),
    ]);
  });

  test('are saved again after a conflict with another transaction', async () => {
    const order = await aPaidOrder();
    // The first update of the order fails as a conflict does; a sequence counts across transactions.
    await testDb().raw(`CREATE SEQUENCE conflicts; CREATE FUNCTION raise_conflict() RETURNS trigger AS $$
      BEGIN
        IF nextval('conflicts') = 1 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure'; END IF;
        RETURN NEW;
      END $$ LANGUAGE plpgsql;
      CREATE TRIGGER raise_conflict BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION raise_conflict()`);
    try {
      const reply = await adjust(order, { label: 'Goodwill', amount: '-5' });
      expect([reply.status, reply.body.amount]).toEqual([201, '-5.0']);
    } finally {
      await testDb().raw('DROP FUNCTION raise_conflict CASCADE; DROP SEQUENCE conflicts');
    }
    expect(await readOrder(order.number)).toMatchObject({
      total: '31.98',
      adjustments: [{ amount: '-5.0' }],
    });
  });

  test('require a label, an amount and parts of the order', async () => {
    const [order, other] = [await aPaidOrder(), await aPaidOrder()];
    expect((await adjust(order, {})).body).toEqual(
      invalid({ label: ["can't be blank"], amount: ["can't be blank"] }),
    );
    const text = await adjust(order, { label: 'x', amount: 'much' });
    expect(text.body).toEqual(invalid({ amount: ['is not a number'] }));
    const nothing = await adjust(order, { label: 'x', amount: '0.001' });
    expect(nothing.body).toEqual(invalid({ amount: ['must be other than 0'] }));
    const [line] = other.line_items;
    const foreign = await adjust(order, { label: 'x', amount: '1', line_item_id: line.id });
    expect(foreign.body).toEqual(invalid({ line_item_id: ['is invalid'] }));
    const both = { line_item_id: order.line_items[0].id, shipment_id: order.shipments[0].id };
    const twofold = await adjust(order, { label: 'x', amount: '1', ...both });
    expect(twofold.body).toEqual(invalid({ shipment_id: ['is invalid'] }));
    const own = await adjust(other, { label: 'x', amount: '1' });
    const admin = await asAdmin();
    for (const amount of ['2', 'x'])
      expect((await admin.put(`${pathOf(order)}/${own.body.id}`, { adjustment: { amount } })).status).toBe(
        404,
      );
  });

  test('a discount that changes is returned with the time of its change', async () => {
    const variant = await aSellableVariant({ price: '20' });
    const order = await orderInState('payment', { lines: [{ variant_id: variant.id }] });
    const { code } = await aPromotion();
    const path = `/orders/${order.number}`;
    const caller = api(order.caller);
    await caller.put(`${path}/apply_coupon_code`, { coupon_code: code });
    const [before] = (await caller.get(path)).body.line_items;
    const body = { order: { line_items: { 0: { id: before.id, quantity: 2 } } } };
    const [line] = (await (await asAdmin()).put(path, body)).body.line_items;
    expect([before, line]).toMatchObject([
      { adjustments: [{ amount: '-2.0' }] },
      { adjustments: [{ amount: '-4.0' }] },
    ]);
    expect(line.adjustments[0].updated_at > before.adjustments[0].updated_at).toBe(true);
    expect((await caller.get(path)).body.line_items[0].adjustments).toEqual(line.adjustments);
  });

  test('discounts cannot be changed or deleted; all adjustments are listed', async () => {
    const variant = await aSellableVariant({ price: '20' });
    const order = await orderInState('payment', { lines: [{ variant_id: variant.id }] });
    const { code } = await aPromotion();
    await api(order.caller).put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
    await adjust(order, { label: 'Goodwill', amount: '-1' });
    const admin = await asAdmin();
    const { body } = await admin.get(`${pathOf(order)}?q[s]=amount asc`);
    expect(body).toMatchObject({ count: 2, adjustments: [{ amount: '-2.0' }, { label: 'Goodwill' }] });
    const path = `${pathOf(order)}/${body.adjustments[0].id}`;
    const refused = invalid({ base: ['Taxes, discounts and credits of returns cannot be changed'] });
    for (const reply of [
      await admin.put(path, { adjustment: { amount: '-20' } }),
      await admin.delete(path),
    ]) {
      expect([reply.status, reply.body]).toEqual([422, refused]);
    }
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a canceled order has no new ones; only admins may use them', async () => {
    const customer = await aCustomer();
    const order = await orderInState('complete', { caller: customer });
    for (const caller of [{}, customer, order.caller]) {
      const replies = [
        await api(caller).get(pathOf(order)),
        await api(caller).post(pathOf(order), { adjustment: { label: 'x', amount: '-1' } }),
        await api(caller).put(`${pathOf(order)}/1`, { adjustment: { amount: '-1' } }),
        await api(caller).delete(`${pathOf(order)}/1`),
      ];
      expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    }
    await (await asAdmin()).put(`/orders/${order.number}/cancel`);
    const reply = await adjust(order, { label: 'x', amount: '-1' });
    expect(reply.body).toEqual(invalid({ base: ['The order is canceled'] }));
  });
});
