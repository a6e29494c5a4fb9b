import { asAdmin, createAsAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import {
  aSellableVariant,
  GOOD_CARD,
  orderInState,
  showOrder,
  updateCheckout,
} from '../support/orders.factory';
import { unique } from '../support/unique';

/*
 * Orders that are completed while their shipping method, payment method or tax rate is withdrawn: each order either
 * completes with all of them, or is refused and charged nothing.
 */

test('completions and withdrawals at the same time leave consistent orders', async () => {
  const admin = await asAdmin();
  const zone = (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
  const orders: any[] = [];
  const withdrawals: (() => Promise<unknown>)[] = [];
  for (const withdrawn of ['shipping method', 'payment method', 'tax rate']) {
    const shipping = await createAsAdmin('/shipping_categories', {
      shipping_category: { name: unique('class') },
    });
    const method = await createAsAdmin('/shipping_methods', {
      shipping_method: {
        name: unique('Post'),
        calculator_type: 'flat_rate',
        calculator_preferences: { amount: '3' },
        zone_ids: [zone],
        shipping_category_ids: [shipping.id],
      },
    });
    const taxes = await createAsAdmin('/tax_categories', { tax_category: { name: unique('taxed') } });
    const rate = await createAsAdmin('/tax_rates', {
      tax_rate: { name: 'Tax', tax_category_id: taxes.id, zone_id: zone, amount: '0.1' },
    });
    const payment = await createAsAdmin('/payment_methods', {
      payment_method: { name: unique('Pay'), gateway: 'bogus' },
    });
    const product = { shipping_category_id: shipping.id, tax_category_id: taxes.id };
    const tote = await aSellableVariant({ price: '10', product });
    const order = await orderInState('payment', { lines: [{ variant_id: tote.id }] });
    const confirmed = await updateCheckout(order, {
      order: { payments_attributes: [{ payment_method_id: payment.id }] },
      payment_source: { [payment.id]: GOOD_CARD },
    });
    expect(confirmed.body).toMatchObject({ state: 'confirm', total: '14.0' });
    orders.push(order);
    const paths: Record<string, () => Promise<unknown>> = {
      'shipping method': () => admin.delete(`/shipping_methods/${method.id}`),
      'payment method': () =>
        admin.put(`/payment_methods/${payment.id}`, { payment_method: { active: false } }),
      'tax rate': () => admin.delete(`/tax_rates/${rate.id}`),
    };
    withdrawals.push(paths[withdrawn] ?? (() => Promise.reject(new Error(withdrawn))));
  }
  const [replies] = await Promise.all([
    Promise.all(orders.map((order) => api(order.caller).put(`/checkouts/${order.number}/next`))),
    ...withdrawals.map((withdraw) => withdraw()),
  ]);
  for (const [index, reply] of replies.entries()) {
    expect([200, 422]).toContain(reply.status);
    const order = await showOrder(orders[index]);
    expect(order.state === 'complete').toBe(reply.status === 200);
    expect(order.payments.map(({ state }: any) => state)).toEqual(
      reply.status === 200 ? ['pending'] : ['checkout'],
    );
    if (reply.status === 200) expect(order.payments[0].amount).toBe(order.total);
  }
  await expectNoViolations({ order_ids: orders.map(({ id }) => id) });
});
