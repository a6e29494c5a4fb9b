import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import {
  aSellableVariant,
  DECLINED_CARD,
  buildMarylandAddress,
  orderInState,
  buildPaymentBody,
  type OrderOptions,
  type ReachableState,
  showOrder,
} from '../../support/orders.factory';
import { createOwnShop } from '../../support/own-shop';
import { aPromotion, onlyFor } from '../../support/promotions.factory';
import { listQueries } from '../../support/queries';
import { unique } from '../../support/unique';

const TEXTS = {
  coupon_code_not_found: "The coupon code you entered doesn't exist. Please try again.",
  coupon_code_expired: 'The coupon code is expired',
  coupon_code_already_applied: 'The coupon code has already been applied to this order',
  coupon_code_max_usage: 'Coupon code usage limit exceeded',
  coupon_code_not_eligible: 'This coupon code is not eligible for this order',
  coupon_code_better_exists: 'The previously applied coupon code results in a better deal',
};
const APPLIED = {
  success: 'The coupon code was successfully applied to your order.',
  error: null,
  successful: true,
  status_code: 'coupon_code_applied',
};

let admin: ReturnType<typeof api>;

beforeAll(async () => {
  admin = api(await anAdmin());
});

const apply = (order: any, coupon_code: unknown) =>
  api(order.caller).put(`/orders/${order.number}/apply_coupon_code`, { coupon_code });
const completeOrder = (order: any) => api(order.caller).put(`/checkouts/${order.number}`);
const getUsageCount = async (promotion: any): Promise<number> =>
  (await admin.get(`/promotions/${promotion.id}`)).body.usage_count;

async function anOrder(
  price: string,
  state: ReachableState = 'cart',
  wishes: OrderOptions = {},
): Promise<any> {
  const variant = await aSellableVariant({ price, stock: 100 });
  return orderInState(state, { lines: [{ variant_id: variant.id }], ...wishes });
}

describe('applying a coupon code', () => {
  test('ignores the letter case and distributes the discount over the lines to the cent', async () => {
    const promotion = await aPromotion({ actions: [{ type: 'order_amount', amount: '10' }] });
    const variants = [
      await aSellableVariant({ price: '10' }),
      await aSellableVariant({ price: '10' }),
      await aSellableVariant({ price: '10' }),
    ];
    const order = await orderInState('cart', { lines: variants.map(({ id }) => ({ variant_id: id })) });
    const reply = await apply(order, `  ${promotion.code.toLowerCase()} `);
    expect([reply.status, reply.body]).toEqual([200, APPLIED]);
    const now = await showOrder(order);
    expect(now).toMatchObject({
      item_total: '30.0',
      adjustment_total: '-10.0',
      total: '20.0',
      adjustments: [],
    });
    expect(now.line_items.map((line: any) => line.total)).toEqual(['6.66', '6.67', '6.67']);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('takes full-width letters, as Japanese keyboards enter them, and stores usual ones', async () => {
    const code = unique('SALE');
    const wide = code.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    expect(await aPromotion({ code: ` ${wide}\u3000` })).toMatchObject({ code });
    const order = await anOrder('10');
    expect((await apply(order, `${wide.toLowerCase()}\u3000`)).body).toEqual(APPLIED);
    const removal = `/orders/${order.number}/coupon_codes/${encodeURIComponent(wide)}`;
    expect((await api(order.caller).delete(removal)).status).toBe(204);
    const body = { order: { coupon_code: wide } };
    expect((await api(order.caller).put(`/orders/${order.number}`, body)).body).toMatchObject({
      total: '9.0',
    });
    expect((await admin.get(`/promotions/${encodeURIComponent(wide)}`)).body.code).toBe(code);

    const old = await aPromotion();
    const stored = old.code.replace(/^C/, '\uff23');
    await testDb()('promotions').where({ id: old.id }).update({ code: stored });
    expect((await apply(await anOrder('10'), stored.toLowerCase())).status).toBe(200);
  });

  test('works below /checkouts too', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'payment')];
    const reply = await api(order.caller).put(`/checkouts/${order.number}/apply_coupon_code.json`, {
      coupon_code: promotion.code,
    });
    expect([reply.status, reply.body]).toEqual([200, APPLIED]);
    expect(await showOrder(order)).toMatchObject({ state: 'payment', total: '14.0' });
  });

  test('returns the error of the coupon and leaves the order unchanged', async () => {
    const order = await anOrder('10');
    const variant = await aSellableVariant();
    const expired = await aPromotion({ expires_at: '2026-01-01' });
    const early = await aPromotion({ starts_at: '2126-01-01' });
    const tooSmall = await aPromotion({ rules: [{ type: 'item_total', amount_min: '10.01' }] });
    const otherGoods = await aPromotion({ rules: [onlyFor(variant)] });
    const foreign = await aPromotion({ actions: [{ type: 'order_amount', amount: '1', currency: 'EUR' }] });
    const empty = await aPromotion({ actions: [] });
    const guests = await aPromotion({ rules: [{ type: 'one_use_per_user' }] });
    const untouched = await showOrder(order);
    const cases: [unknown, keyof typeof TEXTS, string?][] = [
      [unique('nothing'), 'coupon_code_not_found'],
      ['', 'coupon_code_not_found'],
      [undefined, 'coupon_code_not_found'],
      [expired.code, 'coupon_code_expired'],
      [early.code, 'coupon_code_expired'],
      [
        tooSmall.code,
        'coupon_code_not_eligible',
        "This coupon code can't be applied to orders less than $10.01.",
      ],
      [
        otherGoods.code,
        'coupon_code_not_eligible',
        'You need to add an applicable product before applying this coupon code.',
      ],
      [foreign.code, 'coupon_code_not_eligible'],
      [empty.code, 'coupon_code_not_eligible'],
      [guests.code, 'coupon_code_not_eligible', 'You need to login before applying this coupon code.'],
    ];
    for (const [code, status_code, reason] of cases) {
      const reply = await apply(order, code);
      const body = { success: null, error: reason ?? TEXTS[status_code], successful: false, status_code };
      expect([code, reply.status, reply.body]).toEqual([code, 422, body]);
    }
    expect(await showOrder(order)).toEqual(untouched);
    expect(await testDb()('order_promotions').where({ order_id: order.id })).toEqual([]);
  });

  test('returns an error for a repeated code, an empty cart and a complete order', async () => {
    const promotion = await aPromotion();
    const [order, sold] = [await anOrder('10'), await anOrder('10', 'complete')];
    expect((await apply(order, promotion.code)).status).toBe(200);
    expect((await apply(order, promotion.code)).body.status_code).toBe('coupon_code_already_applied');
    expect((await apply(sold, promotion.code)).body.status_code).toBe('coupon_code_not_eligible');
    const opened = (await api().post('/orders')).body;
    const nothing = { number: opened.number, caller: { orderToken: opened.token } };
    expect((await apply(nothing, promotion.code)).body.status_code).toBe('coupon_code_not_eligible');
  });

  test('a code with a smaller discount returns 422; a better one replaces the other', async () => {
    const [ten, five, twenty] = [
      await aPromotion(),
      await aPromotion({ actions: [{ type: 'order_percent', percent: '5' }] }),
      await aPromotion({ actions: [{ type: 'order_percent', percent: '20' }] }),
    ];
    const order = await anOrder('10');
    await apply(order, ten.code);
    expect((await apply(order, five.code)).body).toMatchObject({
      error: TEXTS.coupon_code_better_exists,
      status_code: 'coupon_code_better_exists',
    });
    expect((await apply(order, twenty.code)).status).toBe(200);
    const now = await showOrder(order);
    expect(now.total).toBe('8.0');
    expect(now.line_items[0].adjustments).toMatchObject([
      { amount: '-1.0', eligible: false, source_id: ten.actions[0].id },
      { amount: '-2.0', eligible: true, source_id: twenty.actions[0].id },
    ]);
  });

  test('the discount follows the rules as the cart changes', async () => {
    const promotion = await aPromotion({ rules: [{ type: 'item_total', amount_min: '20' }] });
    const variant = await aSellableVariant({ price: '10' });
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    await apply(order, promotion.code);
    const [line] = order.line_items;
    const set = (quantity: number) =>
      api(order.caller).put(`/orders/${order.number}/line_items/${line.id}`, { line_item: { quantity } });
    expect((await set(1)).body).toMatchObject({
      total: '10.0',
      adjustments: [{ amount: '-1.0', eligible: false }],
    });
    expect(await showOrder(order)).toMatchObject({ total: '10.0', adjustment_total: '0.0' });
    expect((await set(3)).body).toMatchObject({
      total: '27.0',
      adjustments: [{ amount: '-3.0', eligible: true }],
    });
  });

  test('a coupon can be removed', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'delivery')];
    const path = `/orders/${order.number}/coupon_codes/${promotion.code.toLowerCase()}`;
    expect((await api(order.caller).delete(path)).status).toBe(404);
    await apply(order, promotion.code);
    expect((await showOrder(order)).total).toBe('14.0');
    expect((await api().delete(path)).status).toBe(401);
    expect((await api(order.caller).delete(path)).status).toBe(204);
    expect(await showOrder(order)).toMatchObject({ total: '15.0', state: 'delivery' });
    expect((await api(order.caller).delete(path.replace('orders', 'checkouts'))).status).toBe(404);
    expect((await apply(order, promotion.code)).status).toBe(200);
  });

  test('removing a coupon leaves it on other orders', async () => {
    const promotion = await aPromotion();
    const [order, other] = [await anOrder('10'), await anOrder('10')];
    for (const one of [order, other]) await apply(one, promotion.code);
    const path = `/orders/${order.number}/coupon_codes/${promotion.code}`;
    expect((await api(order.caller).delete(path)).status).toBe(204);
    // Changing the line items calculates the discounts again.
    const [line] = other.line_items;
    const change = { line_item: { quantity: 2 } };
    expect(
      (await api(other.caller).put(`/orders/${other.number}/line_items/${line.id}`, change)).status,
    ).toBe(200);
    expect(await showOrder(other)).toMatchObject({ total: '18.0' });
  });

  test.each(['orders', 'checkouts'])('PUT removes a coupon and returns a message (%s)', async (resource) => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'delivery')];
    const remove = (coupon_code: unknown, caller = order.caller) =>
      api(caller).put(`/${resource}/${order.number}/remove_coupon_code`, { coupon_code });
    const notFound = {
      success: null,
      error: TEXTS.coupon_code_not_found,
      successful: false,
      status_code: 'coupon_code_not_found',
    };
    for (const code of [promotion.code, 'nothing', '', undefined]) {
      const reply = await remove(code);
      expect([reply.status, reply.body]).toEqual([422, notFound]);
    }
    await apply(order, promotion.code);
    expect((await showOrder(order)).total).toBe('14.0');
    expect((await remove(promotion.code, {})).status).toBe(401);
    const reply = await remove(` ${promotion.code.toLowerCase()} `);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        success: 'The coupon code was successfully removed from this order.',
        error: null,
        successful: true,
        status_code: 'coupon_code_removed',
      },
    ]);
    expect(await showOrder(order)).toMatchObject({ total: '15.0', state: 'delivery' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('PUT does not remove the coupon of a complete order and reports it', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'confirm')];
    await apply(order, promotion.code);
    await completeOrder(order);
    const body = { coupon_code: promotion.code };
    const reply = await api(order.caller).put(`/orders/${order.number}/remove_coupon_code`, body);
    expect([reply.status, reply.body.status_code]).toEqual([422, 'coupon_code_not_eligible']);
    expect((await showOrder(order)).total).toBe('14.0');
  });

  test('DELETE does not remove the coupon of a complete order', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'confirm')];
    await apply(order, promotion.code);
    await completeOrder(order);
    const path = `/orders/${order.number}/coupon_codes/${promotion.code}`;
    const reply = await api(order.caller).delete(path);
    expect([reply.status, reply.body.errors]).toEqual([422, { base: ['The order is complete'] }]);
    expect(await showOrder(order)).toMatchObject({ state: 'complete', total: '14.0' });
    const found = await admin.get(`/orders?q[promotions_code_eq]=${promotion.code}`);
    expect(found.body.orders.map(({ number }: any) => number)).toEqual([order.number]);
  });

  test('emptying the order removes the coupon', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10')];
    await apply(order, promotion.code);
    expect((await api(order.caller).put(`/orders/${order.number}/empty`)).status).toBe(204);
    const variant = await aSellableVariant({ price: '10' });
    const filled = await api(order.caller).put(`/orders/${order.number}`, {
      order: { line_items: [{ variant_id: variant.id }] },
    });
    expect(filled.body).toMatchObject({ total: '10.0', adjustment_total: '0.0' });
    expect((await apply(order, promotion.code)).status).toBe(200);
  });
});

describe('coupon_code in an update', () => {
  test('is applied together with the lines of the same body', async () => {
    const promotion = await aPromotion({ rules: [{ type: 'item_total', amount_min: '20' }] });
    const [order, variant] = [await anOrder('10'), await aSellableVariant({ price: '15' })];
    const changed = await api(order.caller).put(`/orders/${order.number}`, {
      order: { coupon_code: promotion.code, line_items: [{ variant_id: variant.id }] },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ item_total: '25.0', adjustment_total: '-2.5', total: '22.5' });
  });

  test('is applied together with a checkout step', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'delivery')];
    const stepped = await api(order.caller).put(`/checkouts/${order.number}`, {
      order: { coupon_code: promotion.code },
    });
    expect(stepped.body).toMatchObject({ state: 'payment', total: '14.0' });
    const blank = await api(order.caller).put(`/orders/${order.number}`, { order: { coupon_code: '' } });
    expect(blank.status).toBe(200);
  });

  test.each(['orders', 'checkouts'])('with an error saves nothing of the body (%s)', async (resource) => {
    const order = await anOrder('10', 'address');
    const before = await showOrder(order);
    const address = await buildMarylandAddress();
    const reply = await api(order.caller).put(`/${resource}/${order.number}`, {
      order: {
        coupon_code: unique('nothing'),
        email: 'new@example.com',
        ship_address: address,
        bill_address: address,
      },
    });
    expect([reply.status, reply.body]).toEqual([422, { error: TEXTS.coupon_code_not_found }]);
    expect(await showOrder(order)).toEqual(before);
  });

  test('is ignored by the checkout of a complete order; its own endpoint returns 422', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'complete')];
    const body = { order: { coupon_code: promotion.code } };
    expect((await api(order.caller).put(`/checkouts/${order.number}`, body)).body.total).toBe('15.0');
    const reply = await (await asAdmin()).put(`/orders/${order.number}`, body);
    expect([reply.status, reply.body]).toEqual([422, { error: TEXTS.coupon_code_not_eligible }]);
  });
});

describe('effects of a discount', () => {
  test('taxes are calculated on the discounted amounts', async () => {
    const zone = await testDb()('zones').where({ name: 'North America' }).first('id');
    const category = (await admin.post('/tax_categories', { tax_category: { name: unique('Food') } })).body;
    await admin.post('/tax_rates', {
      tax_rate: { name: 'Food', amount: '0.07', zone_id: zone.id, tax_category_id: category.id },
    });
    const product = { tax_category_id: category.id };
    const lines = [
      { variant_id: (await aSellableVariant({ price: '10', product })).id },
      { variant_id: (await aSellableVariant({ price: '5', product })).id },
    ];
    const order = await orderInState('delivery', { lines });
    expect(order).toMatchObject({ additional_tax_total: '1.05', total: '21.05' });
    // 3.33 is subtracted from 10 and 1.67 from 5; 7 percent of 6.67 is 0.4669, of 3.33 it is 0.2331.
    const promotion = await aPromotion({ actions: [{ type: 'order_amount', amount: '5' }] });
    await apply(order, promotion.code);
    const now = await showOrder(order);
    expect(now).toMatchObject({ adjustment_total: '-4.3', additional_tax_total: '0.7', total: '15.7' });
    expect(now.line_items.map((line: any) => line.total)).toEqual(['7.14', '3.56']);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('free shipping applies once there are shipments and follows the selected rate', async () => {
    const promotion = await aPromotion({ actions: [{ type: 'free_shipping' }] });
    const order = await anOrder('10', 'address');
    expect((await apply(order, promotion.code)).body).toEqual(APPLIED);
    expect((await showOrder(order)).total).toBe('10.0');
    const address = await buildMarylandAddress();
    const delivery = await api(order.caller).put(`/checkouts/${order.number}`, {
      order: { email: 'ann@example.com', bill_address: address, ship_address: address },
    });
    expect(delivery.body).toMatchObject({ state: 'delivery', ship_total: '5.0', total: '10.0' });
    const [shipment] = delivery.body.shipments;
    expect(shipment.adjustments).toMatchObject([{ amount: '-5.0', adjustable_type: 'Store::Shipment' }]);
    const dearer = shipment.shipping_rates.find((rate: any) => rate.cost === '10.0');
    const chosen = await api(order.caller).put(`/orders/${order.number}`, {
      order: { shipments_attributes: [{ id: shipment.id, selected_shipping_rate_id: dearer.id }] },
    });
    expect(chosen.body).toMatchObject({ ship_total: '10.0', adjustment_total: '-10.0', total: '10.0' });
  });

  test('a code with free shipping applies before there are shipments, also if its other discount is smaller', async () => {
    const ten = await aPromotion();
    const five = await aPromotion({
      actions: [{ type: 'order_percent', percent: '5' }, { type: 'free_shipping' }],
    });
    const order = await anOrder('10', 'address');
    await apply(order, ten.code);
    expect((await apply(order, five.code)).body).toEqual(APPLIED);
    const address = await buildMarylandAddress();
    const delivery = await api(order.caller).put(`/checkouts/${order.number}`, {
      order: { email: 'ann@example.com', bill_address: address, ship_address: address },
    });
    expect(delivery.body).toMatchObject({ ship_total: '5.0', adjustment_total: '-6.0', total: '9.0' });
  });

  test('an order that becomes free needs no payment', async () => {
    const promotion = await aPromotion({
      actions: [{ type: 'order_percent', percent: '100' }, { type: 'free_shipping' }],
    });
    const order = await anOrder('10', 'delivery');
    await apply(order, promotion.code);
    expect(await showOrder(order)).toMatchObject({
      total: '0.0',
      checkout_steps: ['address', 'delivery', 'complete'],
    });
    expect((await completeOrder(order)).body).toMatchObject({
      state: 'complete',
      payment_state: 'paid',
      payments: [],
    });
    expect(await getUsageCount(promotion)).toBe(1);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('the payment has the discounted total', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'confirm')];
    expect(order.payments).toMatchObject([{ amount: '15.0' }]);
    await apply(order, promotion.code);
    const sold = await completeOrder(order);
    expect(sold.body).toMatchObject({
      state: 'complete',
      total: '14.0',
      payments: [{ amount: '14.0', state: 'pending' }],
    });
  });

  test('a line added to a complete order gets no discount', async () => {
    const promotion = await aPromotion({
      actions: [
        { type: 'line_percent', percent: '10' },
        { type: 'order_amount', amount: '2' },
      ],
    });
    const order = await anOrder('10', 'confirm');
    await apply(order, promotion.code);
    expect((await completeOrder(order)).body.state).toBe('complete');
    await admin.put(`/promotions/${promotion.id}`, { promotion: { expires_at: '2026-01-01' } });
    const added = await aSellableVariant({ price: '20' });
    const line = await admin.post(`/orders/${order.number}/line_items`, {
      line_item: { variant_id: added.id },
    });
    expect(line.body).toMatchObject({ total: '20.0', adjustments: [] });
    const now = await showOrder(order);
    expect(now.line_items.map(({ total }: any) => total)).toEqual(['7.0', '20.0']);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('promotion uses', () => {
  test('count completed orders with a discount; cancellation releases the use', async () => {
    const promotion = await aPromotion({ usage_limit: 1 });
    const [first, second] = [await anOrder('10', 'confirm'), await anOrder('10')];
    await apply(first, promotion.code);
    expect(await getUsageCount(promotion)).toBe(0);
    expect((await completeOrder(first)).body.state).toBe('complete');
    expect(await getUsageCount(promotion)).toBe(1);
    expect((await apply(second, promotion.code)).body).toMatchObject({
      error: TEXTS.coupon_code_max_usage,
      status_code: 'coupon_code_max_usage',
    });
    expect((await admin.put(`/orders/${first.number}/cancel`)).status).toBe(200);
    expect(await getUsageCount(promotion)).toBe(0);
    expect((await apply(second, promotion.code)).status).toBe(200);
  });

  test('a usage limit reached before completion is reported, and the order continues at its full price', async () => {
    const promotion = await aPromotion({ usage_limit: 1 });
    const [first, second] = [await anOrder('10', 'confirm'), await anOrder('10', 'confirm')];
    await apply(first, promotion.code);
    await apply(second, promotion.code);
    await completeOrder(first);
    let late: any;
    const sent = await listQueries(async () => {
      late = await completeOrder(second);
    });
    // Under the lock of the promotion, and for the total without it.
    expect(sent.filter((sql) => sql.includes('AS is_used_up'))).toHaveLength(2);
    expect([late.status, late.body.errors]).toEqual([422, { base: [TEXTS.coupon_code_max_usage] }]);
    const now = await showOrder(second);
    expect(now).toMatchObject({ state: 'confirm', total: '15.0', adjustment_total: '0.0' });
    expect(now.line_items[0].adjustments).toEqual([]);
    const sold = await completeOrder(second);
    expect(sold.body).toMatchObject({ state: 'complete', total: '15.0', payments: [{ amount: '15.0' }] });
    expect(await getUsageCount(promotion)).toBe(1);
  });

  test('a free order that loses its discount goes on to payment', async () => {
    const promotion = await aPromotion({
      usage_limit: 1,
      actions: [{ type: 'order_percent', percent: '100' }, { type: 'free_shipping' }],
    });
    const [first, second] = [await anOrder('10', 'delivery'), await anOrder('10', 'delivery')];
    await apply(first, promotion.code);
    await apply(second, promotion.code);
    await completeOrder(first);
    expect((await completeOrder(second)).status).toBe(422);
    const next = await completeOrder(second);
    expect(next.body).toMatchObject({ state: 'payment', total: '15.0' });
  });

  test('a promotion that ends before completion is reported too', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'confirm')];
    await apply(order, promotion.code);
    await admin.put(`/promotions/${promotion.id}`, { promotion: { expires_at: '2026-01-01' } });
    const late = await completeOrder(order);
    const changed = 'The promotions of this order have changed. Please check the new total.';
    expect([late.status, late.body.errors]).toEqual([422, { base: [changed] }]);
    expect((await completeOrder(order)).body).toMatchObject({ state: 'complete', total: '15.0' });
  });

  test('a declined card uses none', async () => {
    const promotion = await aPromotion({ usage_limit: 1 });
    const order = await anOrder('10', 'confirm', { card: DECLINED_CARD });
    await apply(order, promotion.code);
    expect((await completeOrder(order)).status).toBe(422);
    expect(await getUsageCount(promotion)).toBe(0);
    expect(await showOrder(order)).toMatchObject({ state: 'confirm', total: '14.0' });
    await api(order.caller).put(`/orders/${order.number}`, await buildPaymentBody());
    expect((await completeOrder(order)).body).toMatchObject({ state: 'complete', total: '14.0' });
    expect(await getUsageCount(promotion)).toBe(1);
  });

  test('one_use_per_user allows one use per user', async () => {
    const [promotion, caller] = [
      await aPromotion({ rules: [{ type: 'one_use_per_user' }] }),
      await aCustomer(),
    ];
    const first = await anOrder('10', 'confirm', { caller });
    await apply(first, promotion.code);
    expect((await completeOrder(first)).body.total).toBe('14.0');
    const second = await anOrder('10', 'cart', { caller });
    expect((await apply(second, promotion.code)).body.status_code).toBe('coupon_code_not_eligible');
    const other = await anOrder('10', 'cart', { caller: await aCustomer() });
    expect((await apply(other, promotion.code)).status).toBe(200);
  });

  test('emptying a complete order releases the use', async () => {
    const [promotion, order] = [await aPromotion(), await anOrder('10', 'confirm')];
    await apply(order, promotion.code);
    await completeOrder(order);
    expect((await admin.put(`/orders/${order.number}/empty`)).status).toBe(204);
    expect(await getUsageCount(promotion)).toBe(0);
  });
});

test('a store without promotions sends no promotion queries when orders change', async () => {
  const shop = await createOwnShop();
  try {
    const product = await shop.admin.post('/products', {
      product: { name: 'Tote', price: '10', shipping_category: 'Default' },
    });
    const stock = await shop.db('stock_items').where({ variant_id: product.body.master.id }).first();
    await shop.db('stock_items').where({ id: stock.id }).update({ count_on_hand: 5 });
    const promotionStatements: string[] = [];
    const note = ({ sql }: { sql: string }) =>
      void (/promotion_(rules|actions)|promotions p/.test(sql) && promotionStatements.push(sql));
    shop.db.on('query', note);
    const opened = await shop.admin.post('/orders', {
      order: { line_items: [{ variant_id: product.body.master.id, quantity: 2 }] },
    });
    const stepped = await shop.admin.put(`/checkouts/${opened.body.number}/next`);
    expect([opened.status, stepped.body.state]).toEqual([201, 'address']);
    expect(promotionStatements).toEqual([]);
  } finally {
    await shop.close();
  }
});
