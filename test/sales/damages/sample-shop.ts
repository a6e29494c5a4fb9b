import { aCustomer } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import {
  aSellableVariant,
  DECLINED_CARD,
  orderInState,
  buildPaymentBody,
  type OrderOptions,
} from '../../support/orders.factory';
import { aCardPayment } from '../../support/payments.factory';
import { aPromotion } from '../../support/promotions.factory';
import { asAdmin } from '../../support/accounts.factory';
import { aPaidOrder, aShippedOrder, getDefaultLocationId } from '../../support/shipments.factory';

/** Ids of orders that were created through the API, in every state that a damage needs. */
export interface SampleShop {
  /** In checkout, with taxes, proposed shipments, and 10 percent off by a code. */
  open: number;
  /** By card, authorized and not captured. */
  unpaid: number;
  /** By card, captured; one dollar refunded. */
  paid: number;
  /** By card, five dollars captured, the rest authorized. */
  partly: number;
  /** By a check that has not arrived. */
  check: number;
  canceled: number;
  /** Bought by a customer, captured and shipped. */
  shipped: number;
  /** Three units, two of them backordered; the third is shipped. */
  waiting: number;
  /** Three units shipped; one is returned and credited with its share, another is on an authorized return. */
  returned: number;
  /** One unit shipped, returned and credited with two dollars. */
  credited: number;
  /** With 25 percent off its line item, by a promotion with a usage limit of one. */
  promoted: number;
  /** Paid by a second card, after the first was declined. */
  risky: number;
  /** Paid, with one shipment ready and one canceled. */
  split: number;
  /** Sold elsewhere: one of two units had shipped, and a card had paid. */
  imported: number;
}

/** Creates the orders in the test file's database, with 8.875 percent tax on every variant. */
export async function createSampleShop(): Promise<SampleShop & { token: string }> {
  const db = testDb();
  const zone = await db('zones').where({ name: 'North America' }).first('id');
  const category = await db('tax_categories').where({ is_default: true }).first('id');
  await db('tax_rates').insert({
    name: 'Sales tax',
    amount: '0.08875',
    zone_id: zone.id,
    tax_category_id: category.id,
  });
  const unpaid = await orderInState('complete');
  const [open, promoted] = [await anOpenOrder(), await aPromotedOrder()];
  const [paid, partly] = [await aRefundedOrder(), await aPartlyPaidOrder()];
  const check = await orderInState('complete', { method: 'Check' });
  const canceled = await aCanceledOrder();
  const shipped = await aShippedOrder({ caller: await aCustomer() });
  const waiting = await aPartlyShippedOrder();
  const [returned, credited] = [await aPartlyReturnedOrder(), await aReturnedOrder()];
  const [risky, split, imported] = [await aRiskyOrder(), await aSplitOrder(), await anImportedOrder()];
  return {
    open: open.id,
    unpaid: unpaid.id,
    paid: paid.id,
    partly: partly.id,
    check: check.id,
    canceled: canceled.id,
    shipped: shipped.id,
    waiting: waiting.id,
    returned: returned.id,
    credited: credited.id,
    promoted: promoted.id,
    risky: risky.id,
    split: split.id,
    imported: imported.id,
    token: unpaid.token,
  };
}

async function ok(sent: Promise<{ status: number; text: string; body: any }>): Promise<any> {
  const reply = await sent;
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}

async function aDiscountedOrder(actions: object[], attributes: object = {}): Promise<any> {
  const order = await orderInState('payment');
  const { code } = await aPromotion({ actions, ...attributes });
  await ok(api(order.caller).put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code }));
  return order;
}

const anOpenOrder = (): Promise<any> => aDiscountedOrder([{ type: 'order_percent', percent: '10' }]);

async function aPromotedOrder(): Promise<any> {
  const actions = [{ type: 'line_percent', percent: '25' }, { type: 'free_shipping' }];
  const order = await aDiscountedOrder(actions, { usage_limit: 1 });
  const shopper = api(order.caller);
  await ok(shopper.put(`/checkouts/${order.number}`, await buildPaymentBody()));
  return ok(shopper.put(`/checkouts/${order.number}/advance`));
}

const paymentPath = (order: any): string => `/orders/${order.number}/payments/${order.payments[0].id}`;

async function aRefundedOrder(): Promise<any> {
  const order = await aPaidOrder();
  await ok((await asAdmin()).put(`${paymentPath(order)}/credit?amount=1.0`));
  return order;
}

async function aPartlyPaidOrder(): Promise<any> {
  const order = await orderInState('complete');
  await ok((await asAdmin()).put(`${paymentPath(order)}/capture?amount=5.0`));
  return order;
}

async function aCanceledOrder(): Promise<any> {
  const order = await orderInState('complete');
  await ok((await asAdmin()).put(`/orders/${order.number}/cancel`));
  return order;
}

async function aPartlyShippedOrder(): Promise<any> {
  const scarce = await aSellableVariant({ stock: 1, backorderable: true });
  const order = await aPaidOrder({ lines: [{ variant_id: scarce.id, quantity: 3 }] });
  const ready = order.shipments.find(({ state }: { state: string }) => state === 'ready');
  await ok((await asAdmin()).put(`/shipments/${ready.number}/ship`));
  return order;
}

async function aReturn(order: any, amount?: string): Promise<string> {
  const reason = await testDb()('return_authorization_reasons').first('id');
  const path = `/orders/${order.number}/return_authorizations`;
  const authorization = {
    amount,
    stock_location_id: await getDefaultLocationId(),
    return_authorization_reason_id: reason.id,
  };
  const made = await ok((await asAdmin()).post(path, { return_authorization: authorization }));
  const [{ variant_id }] = order.line_items;
  await ok((await asAdmin()).put(`${path}/${made.id}/add`, { variant_id, quantity: 1 }));
  return `${path}/${made.id}`;
}

async function shippedUnits(quantity: number): Promise<any> {
  const variant = await aSellableVariant({ price: '9.99' });
  return aShippedOrder({ lines: [{ variant_id: variant.id, quantity }] });
}

async function aPartlyReturnedOrder(): Promise<any> {
  const order = await shippedUnits(3);
  const first = await aReturn(order);
  await ok((await asAdmin()).put(`${first}/receive`));
  await aReturn(order);
  return order;
}

async function aReturnedOrder(): Promise<any> {
  const order = await shippedUnits(1);
  await ok((await asAdmin()).put(`${await aReturn(order, '2')}/receive`));
  return order;
}

async function aRiskyOrder(): Promise<any> {
  const wishes: OrderOptions = { card: DECLINED_CARD };
  const order = await orderInState('confirm', wishes);
  const declined = await api(order.caller).put(`/checkouts/${order.number}/next`);
  if (declined.status !== 422) throw new Error('the card was not declined');
  await aCardPayment(order);
  const completed = await ok(api(order.caller).put(`/checkouts/${order.number}/advance`));
  if (completed.state !== 'complete') throw new Error(`the risky order is ${completed.state}`);
  return completed;
}

async function anImportedOrder(): Promise<any> {
  const { id: variant_id } = await aSellableVariant({ price: '7' });
  const shipped_at = '2025-12-27T08:30:00Z';
  return ok(
    (await asAdmin()).post('/orders', {
      order: {
        completed_at: '2025-12-24T10:00:00Z',
        line_items: [{ variant_id, quantity: 2 }],
        payments: [{ amount: '14', payment_method: 'Credit Card', source: { month: 1, year: 2035 } }],
        shipments: [{ shipped_at, inventory_units: [{ variant_id }] }],
      },
    }),
  );
}

async function aSplitOrder(): Promise<any> {
  const order = await aPaidOrder();
  const [{ number: original_shipment_number }] = order.shipments;
  const [{ variant_id }] = order.line_items;
  const admin = await asAdmin();
  const stock_location_id = await getDefaultLocationId();
  await ok(
    admin.post('/shipments/transfer_to_location', {
      original_shipment_number,
      variant_id,
      quantity: 1,
      stock_location_id,
    }),
  );
  await ok(admin.put(`/shipments/${original_shipment_number}/cancel`));
  return order;
}
