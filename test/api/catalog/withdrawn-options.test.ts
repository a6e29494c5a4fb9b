import { aCustomer, anAdmin, asAdmin, createAsAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { NOT_TRANSITIONED } from '../../support/error-bodies';
import { buildBogusGateway } from '../../support/gateways';
import { expectNoViolations } from '../../support/invariants';
import {
  aSellableVariant,
  buildPaymentBody,
  GOOD_CARD,
  orderInState,
  showOrder,
  updateCheckout,
} from '../../support/orders.factory';
import { unique } from '../../support/unique';

/*
 * Shipping methods, payment methods, cards and tax rates that were withdrawn after the buyer chose them.
 */

const next = (order: any) => api(order.caller).put(`/checkouts/${order.number}/next`);
const buildRefusal = (errors: object): unknown[] => [422, { error: NOT_TRANSITIONED, errors }];

async function getNorthAmericaId(): Promise<number> {
  return (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
}

describe('a deleted shipping method', () => {
  async function orderWithOwnMethods(): Promise<{ order: any; methods: number[] }> {
    const category = await createAsAdmin('/shipping_categories', {
      shipping_category: { name: unique('class') },
    });
    const methods: number[] = [];
    for (const amount of ['3', '7']) {
      const method = await createAsAdmin('/shipping_methods', {
        shipping_method: {
          name: unique('Post'),
          calculator_type: 'flat_rate',
          calculator_preferences: { amount },
          zone_ids: [await getNorthAmericaId()],
          shipping_category_ids: [category.id],
        },
      });
      methods.push(method.id);
    }
    const tote = await aSellableVariant({ product: { shipping_category_id: category.id } });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
    return { order, methods };
  }

  test('is refused at completion, and the others are offered again', async () => {
    const { order, methods } = await orderWithOwnMethods();
    expect(order.ship_total).toBe('3.0');
    await (await asAdmin()).delete(`/shipping_methods/${methods[0]}`);
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(
      buildRefusal({
        base: ['The selected shipping method is no longer available. Please select another one.'],
      }),
    );
    expect(await showOrder(order)).toMatchObject({
      state: 'address',
      shipments: [],
      completed_at: null,
      payments: [{ state: 'checkout' }],
    });
    const again = await api(order.caller).put(`/checkouts/${order.number}/advance`);
    expect(again.body).toMatchObject({ state: 'complete', ship_total: '7.0' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('that was not selected does not matter', async () => {
    const { order, methods } = await orderWithOwnMethods();
    await (await asAdmin()).delete(`/shipping_methods/${methods[1]}`);
    expect((await next(order)).body).toMatchObject({ state: 'complete', ship_total: '3.0' });
  });
});

describe('an inactive payment method', () => {
  const REFUSAL = buildRefusal({
    base: ['That payment method is unsupported. Please choose another one.'],
  });

  async function orderPaidByOwnMethod(gateway: string): Promise<{ order: any; method: number }> {
    const method = await createAsAdmin('/payment_methods', {
      payment_method: { name: unique('Pay'), gateway },
    });
    const order = await orderInState('payment');
    const reply = await updateCheckout(order, {
      order: { payments_attributes: [{ payment_method_id: method.id }] },
      ...(gateway === 'bogus' && { payment_source: { [method.id]: GOOD_CARD } }),
    });
    expect([reply.status, reply.body.state]).toEqual([200, 'confirm']);
    return { order: { ...order, ...reply.body }, method: method.id };
  }

  test.each([
    ['bogus', 'deactivated'],
    ['check', 'deactivated'],
    ['bogus', 'deleted'],
  ])('of the gateway %s is refused at completion: %s', async (gateway, how) => {
    const { order, method } = await orderPaidByOwnMethod(gateway);
    const admin = await asAdmin();
    if (how === 'deleted')
      await testDb()('payment_methods').where({ id: method }).update({ deleted_at: new Date() });
    else await admin.put(`/payment_methods/${method}`, { payment_method: { active: false } });
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(REFUSAL);
    expect(await showOrder(order)).toMatchObject({ state: 'confirm', payments: [{ state: 'checkout' }] });
    // Another payment completes the order.
    const paid = await updateCheckout(order, await buildPaymentBody());
    expect([paid.status, paid.body]).toMatchObject([
      200,
      { state: 'complete', payments: [{ state: 'invalid' }, { state: 'pending' }] },
    ]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is refused on the way to confirm', async () => {
    const { order, method } = await orderPaidByOwnMethod('check');
    await updateCheckout(order, { order: {}, state: 'delivery' });
    await (await asAdmin()).put(`/payment_methods/${method}`, { payment_method: { active: false } });
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(REFUSAL);
  });

  test('does not matter once the total is authorized', async () => {
    const { order, method } = await orderPaidByOwnMethod('bogus');
    const admin = await asAdmin();
    await admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/authorize`);
    await admin.put(`/payment_methods/${method}`, { payment_method: { active: false } });
    expect((await next(order)).body).toMatchObject({ state: 'complete', payments: [{ state: 'pending' }] });
  });

  test('that is deactivated while the gateway is called does not interrupt the completion', async () => {
    const { order, method } = await orderPaidByOwnMethod('bogus');
    const authorize = async () => {
      await testDb()('payment_methods').where({ id: method }).update({ active: false });
      const result = { response_code: '12345', avs_response: 'D', cvv_response: null, message: 'ok' };
      return { approved: true, ...result };
    };
    const slow = makeTestApp({ gateways: buildBogusGateway({ authorize }) });
    const reply = await api(order.caller, slow).put(`/checkouts/${order.number}/next`);
    expect(reply.body).toMatchObject({ state: 'complete', payments: [{ state: 'pending' }] });
  });
});

describe('a saved card that has expired', () => {
  test('is refused at completion', async () => {
    const ann = await aCustomer();
    await orderInState('complete', { caller: ann });
    const cards = await api(ann).get(`/users/${ann.id}/credit_cards`);
    const existing_card = cards.body.credit_cards[0].id;
    const order = await orderInState('payment', { caller: ann });
    const chosen = await updateCheckout(order, { order: { existing_card } });
    expect(chosen.body.state).toBe('confirm');

    // GOOD_CARD is valid until the end of January 2035.
    const at = (time: string) => makeTestApp({ now: () => new Date(time) });
    const path = `/checkouts/${order.number}/next`;
    const reply = await api(order.caller, at('2035-02-01T00:00:00Z')).put(path);
    expect([reply.status, reply.body]).toEqual(
      buildRefusal({ 'payments.Credit Card': ['Card has expired'] }),
    );
    expect((await showOrder(order)).state).toBe('confirm');
    const paid = await api(order.caller, at('2035-01-31T23:59:59Z')).put(path);
    expect([paid.status, paid.body.state]).toEqual([200, 'complete']);
  });
});

describe('a deleted tax rate', () => {
  async function aTaxedOrder(): Promise<{ order: any; rate: number; category: number }> {
    const category = await createAsAdmin('/tax_categories', { tax_category: { name: unique('taxed') } });
    const rate = await createAsAdmin('/tax_rates', { tax_rate: await buildRate(category.id, '0.1') });
    const tote = await aSellableVariant({ price: '20', product: { tax_category_id: category.id } });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
    expect(order).toMatchObject({ total: '27.0', additional_tax_total: '2.0' });
    return { order, rate: rate.id, category: category.id };
  }

  async function buildRate(tax_category_id: number, amount: string): Promise<object> {
    return { name: 'Tax', tax_category_id, zone_id: await getNorthAmericaId(), amount };
  }

  test('is not charged', async () => {
    const { order, rate } = await aTaxedOrder();
    await (await asAdmin()).delete(`/tax_rates/${rate}`);
    const reply = await next(order);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      {
        state: 'complete',
        total: '25.0',
        tax_total: '0.0',
        payments: [{ state: 'pending', amount: '25.0' }],
      },
    ]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('that a higher one replaces is shown before it is charged', async () => {
    const { order, rate, category } = await aTaxedOrder();
    const admin = api(await anAdmin());
    await admin.delete(`/tax_rates/${rate}`);
    await createAsAdmin('/tax_rates', { tax_rate: await buildRate(category, '0.2') });
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(
      buildRefusal({ base: ['The taxes of this order have changed. Please check the new total.'] }),
    );
    expect(await showOrder(order)).toMatchObject({ state: 'confirm', total: '29.0' });
    expect((await next(order)).body).toMatchObject({
      state: 'complete',
      total: '29.0',
      payments: [{ state: 'pending', amount: '29.0' }],
    });
  });

  test('is the only change of tax rates that matters in confirm', async () => {
    const { order, category } = await aTaxedOrder();
    await createAsAdmin('/tax_rates', { tax_rate: await buildRate(category, '0.3') });
    expect((await next(order)).body).toMatchObject({ state: 'complete', total: '27.0' });
  });
});
