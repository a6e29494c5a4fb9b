import * as fc from 'fast-check';
import { sum, multiply, toAmount, ZERO } from '../../../src/platform/money';
import { calculateCappedAdjustments } from '../../../src/sales/pricing/capped-adjustments';
import type { AdjustmentRow } from '../../../src/sales/order/order-graph';

type SoldOrder = Parameters<typeof calculateCappedAdjustments>[0];

const at = new Date(0);
const PROMOTION = 'Store::PromotionAction';
const TAX = 'Store::TaxRate';

const adjustment = (id: number, amount: string, attributes: Partial<AdjustmentRow> = {}): AdjustmentRow => ({
  ...{ id, order_id: 1, line_item_id: 1, shipment_id: null, source_type: PROMOTION, source_id: id, amount },
  ...{ label: '', mandatory: false, included: false, eligible: true, closed: true, created_at: at },
  ...{ updated_at: at, ...attributes },
});

/** A completed order with one line item of this current cost and the adjustments of its completion. */
function sold(price: string, quantity: number, adjustments: AdjustmentRow[]): SoldOrder {
  // The function reads only id, price and quantity.
  const lines = [{ id: 1, price, quantity }] as unknown as SoldOrder['line_items'];
  return { completed_at: at, line_items: lines, shipments: [], adjustments };
}

const changes = (order: SoldOrder) =>
  calculateCappedAdjustments(order).map(({ id, amount, eligible }) => [id, eligible ? amount : 'ineligible']);

test('the newest discount is reduced first', () => {
  const rows = [adjustment(2, '-4'), adjustment(1, '-5')];
  expect(changes(sold('10', 1, rows))).toEqual([]);
  expect(changes(sold('7', 1, rows))).toEqual([[2, '-2.0']]);
  expect(changes(sold('5', 1, rows))).toEqual([[2, 'ineligible']]);
  expect(changes(sold('3', 1, rows))).toEqual([
    [1, '-3.0'],
    [2, 'ineligible'],
  ]);
});

test('tax refunds are reduced before discounts', () => {
  const rows = [adjustment(1, '-19', { source_type: TAX }), adjustment(2, '-60')];
  expect(changes(sold('70', 1, rows))).toEqual([[1, '-10.0']]);
});

test('additional taxes do not raise the limit; included and ineligible adjustments do not use it', () => {
  const rows = [
    adjustment(1, '3', { source_type: TAX }),
    adjustment(2, '-9', { included: true }),
    adjustment(3, '-9', { eligible: false }),
    adjustment(4, '-10'),
  ];
  expect(changes(sold('10', 1, rows))).toEqual([]);
  expect(changes(sold('9', 1, rows))).toEqual([[4, '-9.0']]);
});

test('adjustments of the order itself and of incomplete orders are not changed', () => {
  const credit = adjustment(1, '-50', { line_item_id: null, source_type: 'Store::ReturnAuthorization' });
  expect(changes(sold('10', 1, [credit]))).toEqual([]);
  expect(changes({ ...sold('10', 1, [adjustment(1, '-50')]), completed_at: null })).toEqual([]);
});

test('no cost becomes negative, and no adjustment grows', () => {
  const cents = (max: number) => fc.integer({ min: 0, max }).map((value) => (value / 100).toFixed(2));
  const row = fc.record({
    amount: cents(5_000).map((amount) => `-${amount}`),
    source_type: fc.constantFrom(PROMOTION, TAX),
  });
  fc.assert(
    fc.property(cents(2_000), fc.nat(5), fc.array(row, { maxLength: 4 }), (price, quantity, drawn) => {
      const rows = drawn.map((one, index) => adjustment(index + 1, one.amount, one));
      const order = sold(price, quantity, rows);
      const changed = new Map(calculateCappedAdjustments(order).map((one) => [one.id, one]));
      const now = rows.map((one) => changed.get(one.id) ?? one);
      const amountOf = (one: AdjustmentRow) => (one.eligible ? toAmount(one.amount) : ZERO);
      const cost = multiply(toAmount(price), quantity);
      const expected = sum(cost, ...rows.map(amountOf));
      expect(sum(cost, ...now.map(amountOf))).toBe(expected > ZERO ? expected : ZERO);
      for (const [index, one] of now.entries()) {
        expect(amountOf(one) >= toAmount(rows[index]?.amount ?? '0')).toBe(true);
        expect(amountOf(one) <= ZERO).toBe(true);
      }
      expect(calculateCappedAdjustments({ ...order, adjustments: now })).toEqual([]);
    }),
  );
});
