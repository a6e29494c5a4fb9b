import * as closedAdjustments from '../../migrations/20261122_2820_closed_adjustments';
import { asAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { runSteps } from '../support/migrations';
import { aSellableVariant, buildPaymentBody, orderInState } from '../support/orders.factory';
import { aPromotion } from '../support/promotions.factory';
import { readOrder } from '../support/shipments.factory';

const readKept = (order_id: number): Promise<object[]> =>
  testDb()('adjustments')
    .where({ order_id })
    .orderBy('id')
    .select('closed', 'amount', 'sold_amount', 'sold_base')
    .select(testDb().raw('trim_scale(percent) AS percent'));

test('open adjustments of completed orders are closed, and follow their line items again', async () => {
  const variant = await aSellableVariant({ price: '10', stock: 20 });
  const { code } = await aPromotion({ actions: [{ type: 'order_percent', percent: '10' }] });
  const order = await orderInState('payment', { lines: [{ variant_id: variant.id, quantity: 2 }] });
  const shopper = api(order.caller);
  await shopper.put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
  const open = await readKept(order.id);
  await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
  await shopper.put(`/checkouts/${order.number}/next`);
  const cart = await orderInState('payment');
  const closed = await readKept(order.id);
  expect([open[0], closed[0]]).toMatchObject([{ closed: false }, { closed: true, amount: '-2.00' }]);

  await testDb()('adjustments')
    .where({ order_id: order.id })
    .update({ closed: false, sold_amount: null, sold_base: null });
  await expect(expectNoViolations({ order_ids: [order.id] })).rejects.toThrow('sold_adjustments_are_closed');
  await runSteps(closedAdjustments.up);

  expect(await readKept(order.id)).toEqual(closed);
  const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
  await (await asAdmin()).put(line, { line_item: { quantity: 5 } });
  expect(await readOrder(order.number)).toMatchObject({ item_total: '50.0', adjustment_total: '-5.0' });
  await expectNoViolations({ order_ids: [order.id, cart.id] });
});
