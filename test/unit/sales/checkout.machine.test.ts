import fc from 'fast-check';
import type { FieldErrors } from '../../../src/platform/errors';
import { toAmount, ZERO } from '../../../src/platform/money';
import { isRefused } from '../../../src/platform/state-machine';
import * as guards from '../../../src/sales/order/checkout.guards';
import { findEmailErrors, type CheckoutFacts } from '../../../src/sales/order/checkout.guards';
import { checkoutMachine } from '../../../src/sales/order/checkout.machine';
import { buildCheckoutSteps } from '../../../src/sales/order/checkout-steps';
import type { OrderState } from '../../../src/sales/order/order.machine';

const ready: CheckoutFacts = {
  email: 'ann@example.com',
  line_item_count: 1,
  every_variant_is_for_sale: true,
  every_item_is_in_stock: true,
  promotions: 'hold',
  bill_address_errors: {},
  ship_address_errors: {},
  proposal: { has_shortage: false, packages: [{ rates: ['standard'] }] },
  shipments: [{ has_selected_rate: true }],
  total: toAmount('25'),
  payment_total: ZERO,
  pending_total: ZERO,
  payments: [{ state: 'checkout' }],
  every_shipping_method_is_offered: true,
  taxes_have_risen: false,
  unusable_payment: null,
};

const next = (state: OrderState, facts: Partial<CheckoutFacts> = {}) =>
  checkoutMachine.decide(state, 'next', { ...ready, ...facts });

function errorsOf(state: OrderState, facts: Partial<CheckoutFacts>): unknown {
  const decision = next(state, facts);
  return isRefused(decision) ? decision.refused : null;
}

test('every guard is listed in the table', () => {
  const listed = checkoutMachine.rows.flatMap(({ when = [] }) =>
    when.map((entry) => (typeof entry === 'function' ? entry : entry.guard).name),
  );
  const others = ['isFree', 'reportsShortage', 'findEmailErrors'];
  const functions = Object.entries(guards).flatMap(([name, value]) =>
    typeof value === 'function' && !others.includes(name) ? [name] : [],
  );
  expect(functions.length).toBeGreaterThan(10);
  expect(functions.filter((name) => !listed.includes(name))).toEqual([]);
});

test('a valid order passes all steps and processes payments once, at the end', () => {
  const steps: string[] = [];
  let state: OrderState = 'cart';
  for (let step = 0; step < 6; step += 1) {
    const decision = next(state);
    if (isRefused(decision)) break;
    steps.push(`${decision.to}${decision.calls ? ` by ${decision.calls}` : ''}`);
    state = decision.to;
  }
  expect(steps).toEqual(['address', 'delivery', 'payment', 'confirm', 'complete by process_payments']);
});

test('items are unstocked before the gateway is called and restocked when it declines', () => {
  expect(next('confirm')).toMatchObject({
    prepare: ['claim_promotions', 'refresh_payment_amounts', 'unstock_units'],
    through: 'confirm',
    calls: 'process_payments',
    undo: ['release_promotions', 'restock_units', 'assess_risk'],
    refusedTo: 'confirm',
  });
});

test.each<OrderState>(['delivery', 'payment', 'confirm'])(
  'a free order completes from %s without a gateway',
  (state) => {
    expect(next(state, { total: ZERO, payments: [] })).toMatchObject({ to: 'complete', calls: null });
    expect(next(state, { total: ZERO, payments: [] })).toMatchObject({
      then: expect.arrayContaining(['unstock_units']),
    });
  },
);

const noItems = 'There are no items for this order. Please add an item to the order to continue.';
const shortage = 'Some line items in this order have insufficient quantity.';
const deleted = 'Some line items in this order have products that are no longer available.';
const noRates = 'We are unable to calculate shipping rates for the selected items.';

test.each<[OrderState, Partial<CheckoutFacts>, Record<string, string[]>]>([
  ['cart', { line_item_count: 0 }, { base: [noItems] }],
  ['cart', { every_item_is_in_stock: false }, { base: [shortage] }],
  ['address', { email: null }, { email: ["can't be blank"] }],
  ['address', { email: ' ' }, { email: ["can't be blank"] }],
  ['address', { email: 'ann@' }, { email: ['is invalid'] }],
  ['address', { every_item_is_in_stock: false }, { base: [shortage] }],
  [
    'address',
    { bill_address_errors: null, ship_address_errors: null },
    { bill_address: ["can't be blank"], ship_address: ["can't be blank"] },
  ],
  ['address', { ship_address_errors: null }, { ship_address: ["can't be blank"] }],
  [
    'address',
    { bill_address_errors: { city: ["can't be blank"] } },
    { 'bill_address.city': ["can't be blank"] },
  ],
  ['address', { proposal: { has_shortage: true, packages: [] } }, { base: [shortage] }],
  [
    'address',
    { proposal: { has_shortage: false, packages: [{ rates: [1] }, { rates: [] }] } },
    { base: [noRates] },
  ],
  ['address', { proposal: { has_shortage: false, packages: [] } }, { base: [noRates] }],
  ['delivery', { email: null }, { email: ["can't be blank"] }],
  [
    'delivery',
    { shipments: [{ has_selected_rate: true }, { has_selected_rate: false }] },
    { base: ['Please select a shipping rate for every shipment'] },
  ],
  [
    'payment',
    { payments: [{ state: 'failed' }, { state: 'void' }, { state: 'invalid' }] },
    { base: ['No payment found'] },
  ],
  ['payment', { payments: [] }, { base: ['No payment found'] }],
  ['confirm', { payments: [{ state: 'failed' }] }, { base: ['No payment found'] }],
  ['confirm', { every_variant_is_for_sale: false }, { base: [deleted] }],
  [
    'confirm',
    { every_shipping_method_is_offered: false },
    { base: ['The selected shipping method is no longer available. Please select another one.'] },
  ],
  [
    'confirm',
    { taxes_have_risen: true },
    { base: ['The taxes of this order have changed. Please check the new total.'] },
  ],
  ['confirm', { unusable_payment: 'expired_card' }, { 'payments.Credit Card': ['Card has expired'] }],
  [
    'payment',
    { unusable_payment: 'inactive_method' },
    { base: ['That payment method is unsupported. Please choose another one.'] },
  ],
  ['complete', {}, { state: ['cannot transition via "next"'] }],
  ['canceled', {}, { state: ['cannot transition via "next"'] }],
])('state %s refuses %j', (state, facts, errors) => {
  expect(errorsOf(state, facts)).toEqual(errors);
});

test('leaving cart requires no e-mail', () => {
  expect(next('cart', { email: null })).toMatchObject({ to: 'address' });
});

test('payments that cover the total are sufficient', () => {
  const paid = { payments: [{ state: 'completed' as const }], payment_total: toAmount('25') };
  const authorized = { payments: [{ state: 'pending' as const }], pending_total: toAmount('25') };
  expect(next('confirm', paid)).toMatchObject({ to: 'complete' });
  expect(next('confirm', authorized)).toMatchObject({ to: 'complete' });
  expect(errorsOf('confirm', { ...authorized, pending_total: toAmount('24.99') })).toEqual({
    base: ['No payment found'],
  });
});

test('unusable payments do not matter once the total is covered', () => {
  const covered = { payment_total: toAmount('25'), unusable_payment: 'inactive_method' as const };
  expect(next('confirm', covered)).toMatchObject({ to: 'complete' });
});

test('a shortage restarts the checkout at completion, not in earlier steps', () => {
  expect(next('confirm', { every_item_is_in_stock: false })).toEqual({
    refused: { base: [shortage] },
    orElse: ['restart_checkout'],
  });
  expect(next('delivery', { every_item_is_in_stock: false, total: ZERO })).toMatchObject({
    orElse: ['restart_checkout'],
  });
  expect(next('payment', { every_item_is_in_stock: false })).toMatchObject({ orElse: [] });
});

test.each<[Partial<CheckoutFacts>, string]>([
  [{ promotions: 'used_up' }, 'Coupon code usage limit exceeded'],
  [{ promotions: 'changed' }, 'The promotions of this order have changed. Please check the new total.'],
])('a lost discount (%j) is removed, and the order keeps its state', (lost, message) => {
  const refusal = { refused: { base: [message] }, orElse: ['remove_lost_promotions'] };
  expect(next('confirm', lost)).toEqual(refusal);
  expect(next('delivery', { ...lost, total: ZERO })).toEqual(refusal);
});

test('without rates the shipments are deleted although the step fails', () => {
  const decision = next('address', { proposal: { has_shortage: false, packages: [{ rates: [] }] } });
  expect(decision).toMatchObject({ orElse: ['delete_shipments'] });
});

test('no facts skip a step or complete an order with a shortage', () => {
  const order = ['cart', 'address', 'delivery', 'payment', 'confirm', 'complete'];
  const facts = fc.record({
    email: fc.constantFrom(null, '', 'a@b.cc'),
    line_item_count: fc.nat(2),
    every_variant_is_for_sale: fc.boolean(),
    every_item_is_in_stock: fc.boolean(),
    promotions: fc.constantFrom('hold' as const, 'used_up' as const, 'changed' as const),
    bill_address_errors: fc.constantFrom<FieldErrors | null>(null, {}, { city: ['is invalid'] }),
    ship_address_errors: fc.constantFrom(null, {}),
    proposal: fc.constantFrom(null, ready.proposal),
    shipments: fc.array(fc.record({ has_selected_rate: fc.boolean() }), { maxLength: 2 }),
    total: fc.constantFrom(ZERO, toAmount('1')),
    payment_total: fc.constantFrom(ZERO, toAmount('1')),
    pending_total: fc.constantFrom(ZERO, toAmount('1')),
    payments: fc.array(fc.record({ state: fc.constantFrom('checkout' as const, 'failed' as const) }), {
      maxLength: 2,
    }),
    every_shipping_method_is_offered: fc.boolean(),
    taxes_have_risen: fc.boolean(),
    unusable_payment: fc.constantFrom(null, 'inactive_method' as const, 'expired_card' as const),
  });
  fc.assert(
    fc.property(
      fc.constantFrom<OrderState>('cart', 'address', 'delivery', 'payment', 'confirm'),
      facts,
      (state, fact) => {
        const decision = checkoutMachine.decide(state, 'next', fact);
        if (isRefused(decision)) return;
        const steps = order.indexOf(decision.to) - order.indexOf(state);
        expect(steps === 1 || (decision.to === 'complete' && fact.total === ZERO)).toBe(true);
        expect(fact.every_item_is_in_stock).toBe(true);
        if (state !== 'cart') expect(findEmailErrors(fact.email)).toBeNull();
        if (decision.to === 'complete') {
          expect(fact.promotions).toBe('hold');
          expect(
            [...decision.prepare, ...decision.then].filter((effect) => effect === 'unstock_units'),
          ).toHaveLength(1);
        }
      },
    ),
  );
});

describe('checkout_steps', () => {
  test('a free order has no payment and no confirm', () => {
    expect(buildCheckoutSteps(ZERO)).toEqual(['address', 'delivery', 'complete']);
    expect(buildCheckoutSteps(toAmount('0.01'))).toEqual([
      'address',
      'delivery',
      'payment',
      'confirm',
      'complete',
    ]);
  });
});

test.each(['a@b.co', 'A.b+c@shop.example.com'])('%s is an e-mail address', (email) => {
  expect(findEmailErrors(email)).toBeNull();
});

test.each(['a', 'a@', '@b.co', 'a@b', 'a b@c.de', 'a@b@c.de', 'a@b..de', `${'a'.repeat(250)}@b.co`])(
  '%s is not an e-mail address',
  (email) => {
    expect(findEmailErrors(email)).toEqual({ email: ['is invalid'] });
  },
);
