import fc from 'fast-check';
import { toAmount, ZERO } from '../../../src/platform/money';
import { isRefused } from '../../../src/platform/state-machine';
import {
  isActive,
  paymentMachine,
  type PaymentEvent,
  type PaymentFacts,
  type PaymentState,
} from '../../../src/sales/order/payment.machine';

const card: PaymentFacts = {
  needs_source: true,
  has_source: true,
  order_is_canceled: false,
  order_is_empty: false,
  refunded: ZERO,
  left: toAmount('10'),
  amount_refusal: null,
};
const check: PaymentFacts = { ...card, needs_source: false, has_source: false };

/** "call -> state" of a gateway call, "-> state" without one, "no-op", or the refusal's message. */
function outcome(state: PaymentState, event: PaymentEvent, facts: PaymentFacts): string {
  const decision = paymentMachine.decide(state, event, facts);
  if (isRefused(decision)) return decision.refused['base']?.[0] ?? '';
  if (decision.isNoOp) return 'no-op';
  return `${decision.calls ? `${decision.calls} ` : ''}-> ${decision.to}`;
}

describe('the action matrix of a card', () => {
  const refused = (event: string, state: string): string => `cannot ${event} a payment that is ${state}`;

  test.each<[PaymentEvent, Partial<Record<PaymentState, string>>]>([
    ['authorize', { checkout: 'authorize -> pending', pending: 'no-op' }],
    ['purchase', { checkout: 'purchase -> completed', pending: 'capture -> completed', completed: 'no-op' }],
    ['capture', { pending: 'capture -> completed', completed: 'no-op' }],
    ['void', { checkout: '-> void', pending: 'void -> void', completed: 'void -> void', void: 'no-op' }],
    ['credit', { completed: 'credit -> completed' }],
    ['update', { checkout: '-> checkout', pending: '-> pending' }],
  ])('%s', (event, allowed) => {
    const states = ['checkout', 'processing', 'pending', 'completed', 'failed', 'void', 'invalid'] as const;
    for (const state of states) {
      expect([state, outcome(state, event, card)]).toEqual([state, allowed[state] ?? refused(event, state)]);
    }
  });
});

test('a check is captured without authorization', () => {
  expect(outcome('checkout', 'capture', check)).toBe('capture -> completed');
  expect(outcome('checkout', 'authorize', check)).toBe('authorize -> pending');
});

test('a card payment without a card stays in checkout', () => {
  for (const event of ['authorize', 'purchase'] as const) {
    expect(outcome('checkout', event, { ...card, has_source: false })).toBe(
      'Payment could not be processed, please check the details you entered',
    );
  }
});

test('payments of a canceled order cannot be charged, but voided and credited', () => {
  const canceled = { ...card, order_is_canceled: true };
  expect(outcome('checkout', 'authorize', canceled)).toBe('cannot authorize a payment of a canceled order');
  expect(outcome('checkout', 'purchase', canceled)).toBe('cannot purchase a payment of a canceled order');
  expect(outcome('pending', 'capture', canceled)).toBe('cannot capture a payment of a canceled order');
  expect(outcome('pending', 'void', canceled)).toBe('void -> void');
  expect(outcome('completed', 'credit', canceled)).toBe('credit -> completed');
});

test('canceling an order voids its captured payment of 0', () => {
  expect(outcome('completed', 'cancel', { ...card, left: ZERO })).toBe('void -> void');
});

test('a refunded payment cannot be voided; canceling its order credits the rest', () => {
  const refunded = { ...card, refunded: toAmount('0.01') };
  expect(outcome('completed', 'void', refunded)).toBe('cannot void a payment that is completed');
  expect(outcome('completed', 'cancel', refunded)).toBe('credit -> completed');
  expect(outcome('completed', 'cancel', { ...refunded, left: ZERO })).toBe('no-op');
  expect(outcome('completed', 'cancel', card)).toBe('void -> void');
  expect(outcome('pending', 'cancel', card)).toBe('void -> void');
});

test('an impossible amount is refused after all other refusals', () => {
  const impossible = { ...card, amount_refusal: 'cannot capture more than 5.0' };
  expect(outcome('pending', 'capture', impossible)).toBe('cannot capture more than 5.0');
  expect(outcome('completed', 'capture', impossible)).toBe('no-op');
  expect(outcome('void', 'capture', impossible)).toBe('cannot capture a payment that is void');
});

test('a newer payment invalidates only checkout payments', () => {
  expect(outcome('checkout', 'invalidate', card)).toBe('-> invalid');
  expect(outcome('pending', 'invalidate', card)).toBe('no-op');
});

test('a declined charge fails the payment; a declined void or credit changes nothing', () => {
  const afterDecline = (state: PaymentState, event: PaymentEvent): unknown => {
    const decision = paymentMachine.decide(state, event, card);
    return isRefused(decision) ? null : decision.refusedTo;
  };
  expect(afterDecline('checkout', 'authorize')).toBe('failed');
  expect(afterDecline('checkout', 'purchase')).toBe('failed');
  expect(afterDecline('pending', 'capture')).toBe('failed');
  expect(afterDecline('pending', 'void')).toBe('pending');
  expect(afterDecline('completed', 'void')).toBe('completed');
  expect(afterDecline('completed', 'credit')).toBe('completed');
});

test('failed, invalid and void payments are not active', () => {
  expect((['checkout', 'processing', 'pending', 'completed'] as const).every(isActive)).toBe(true);
  expect((['failed', 'invalid', 'void'] as const).some(isActive)).toBe(false);
});

test('for any events: calls run in processing, inactive payments stay so, completed ones change only to void', () => {
  const events = fc.constantFrom(
    ...(['authorize', 'purchase', 'capture', 'void', 'credit', 'cancel', 'invalidate'] as const),
  );
  const facts = fc.record({
    needs_source: fc.boolean(),
    has_source: fc.boolean(),
    order_is_canceled: fc.boolean(),
    order_is_empty: fc.boolean(),
    refunded: fc.constantFrom(ZERO, toAmount('5')),
    left: fc.constantFrom(ZERO, toAmount('5')),
    amount_refusal: fc.constantFrom(null, 'too much'),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(events, facts, fc.boolean()), { maxLength: 12 }), (requests) => {
      let state: PaymentState = 'checkout';
      for (const [event, fact, accepted] of requests) {
        const before: PaymentState = state;
        const decision = paymentMachine.decide(state, event, fact);
        if (isRefused(decision)) continue;
        if (decision.calls) expect(decision.through).toBe('processing');
        state = accepted || !decision.calls ? decision.to : decision.refusedTo;
        if (['failed', 'void', 'invalid'].includes(before)) expect(state).toBe(before);
        if (before === 'completed') expect(['completed', 'void']).toContain(state);
        expect(state).not.toBe('processing');
      }
    }),
  );
});
