import fc from 'fast-check';
import { subtract, sumOf, toAmount, toDecimal, ZERO } from '../../../src/platform/money';
import { calculateShareUpTo } from '../../../src/sales/order/line-share';
import { buildEmptyGraph, type OrderGraph, type ShipmentGraph } from '../../../src/sales/order/order-graph';
import type { ShownOrder } from '../../../src/sales/order/orders.repository';
import { planCaptures, calculateDispatchShortfall } from '../../../src/sales/fulfilment/dispatch-cover';

/** An order of one line item at 10.00 a unit, in shipments of `sizes` units at 5.00 each. */
function anOrder(sizes: number[], attributes: { shipped?: number; payment_total?: string } = {}): OrderGraph {
  const { shipped = 0, payment_total = '0.0' } = attributes;
  const quantity = sizes.reduce((all, size) => all + size, 0);
  const total = toDecimal(toAmount(String(quantity * 10 + sizes.length * 5)));
  // Only the columns that the calculation reads.
  const row = { id: 1, state: 'complete', currency: 'USD', total, payment_total } as ShownOrder;
  const line = { id: 7, order_id: 1, variant_id: 3, quantity, price: '10.0', adjustment_total: '0.0' };
  return {
    ...buildEmptyGraph(row),
    line_items: [line as OrderGraph['line_items'][number]],
    shipments: sizes.map((size, index) => {
      const units = [
        { shipment_id: index, line_item_id: 7, variant_id: 3, state: 'on_hand', quantity: size },
      ];
      const state = index < shipped ? 'shipped' : 'pending';
      return { id: index, state, cost: '5.0', adjustment_total: '0.0', units } as unknown as ShipmentGraph;
    }),
  };
}

function missing(order: OrderGraph, index: number, cost = '5.0'): string {
  const shipment = order.shipments[index];
  if (shipment === undefined) throw new Error('no such shipment');
  return toDecimal(calculateDispatchShortfall(order, shipment, toAmount(cost)));
}

describe('the amount to capture before a shipment ships', () => {
  test('is the share of its units plus its cost', () => {
    expect(missing(anOrder([1, 2]), 0)).toBe('15.0');
    expect(missing(anOrder([1, 2]), 1)).toBe('25.0');
  });

  test('is the outstanding balance for the last shipment', () => {
    expect(missing(anOrder([3]), 0)).toBe('35.0');
    expect(missing(anOrder([1, 2], { shipped: 1, payment_total: '15.0' }), 1)).toBe('25.0');
    expect(missing(anOrder([1, 2], { shipped: 1, payment_total: '0.0' }), 1)).toBe('40.0');
  });

  test('is zero if already paid, as after a capture whose dispatch was interrupted', () => {
    expect(missing(anOrder([1, 2], { payment_total: '15.0' }), 0)).toBe('0.0');
    expect(missing(anOrder([1, 1, 1], { shipped: 1, payment_total: '30.0' }), 1)).toBe('0.0');
    expect(missing(anOrder([1, 2], { payment_total: '50.0' }), 0)).toBe('0.0');
  });

  test('includes the cost of a newly selected rate', () => {
    expect(missing(anOrder([1, 2]), 0, '8.0')).toBe('18.0');
    expect(missing(anOrder([3]), 0, '8.0')).toBe('38.0');
  });
});

describe('captures', () => {
  const payments = (...amounts: string[]) => amounts.map((amount) => ({ amount }));
  const amounts = (missingAmount: string, authorized: { amount: string }[]) =>
    planCaptures(toAmount(missingAmount), authorized)?.map(({ amount }) => toDecimal(amount)) ?? null;

  test('start with the largest payment; the last one is partial', () => {
    expect(amounts('25.0', payments('10.0', '20.0'))).toEqual(['20.0', '5.0']);
    expect(amounts('20.0', payments('10.0', '20.0'))).toEqual(['20.0']);
  });

  test('are not planned if the payments do not suffice', () => {
    expect(amounts('31.0', payments('10.0', '20.0'))).toBeNull();
    expect(amounts('1.0', [])).toBeNull();
    expect(amounts('0.0', payments('10.0'))).toEqual([]);
  });
});

test('shares of a line item add up to its total for any division', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10_000_000n),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
      (cents, parts) => {
        const total = toAmount(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
        const quantity = parts.reduce((all, part) => all + part, 0);
        let before = 0;
        const shares = parts.map((part) => {
          const upTo = (units: number) => calculateShareUpTo({ total, quantity }, units, 'USD');
          const share = subtract(upTo(before + part), upTo(before));
          before += part;
          return share;
        });
        expect(sumOf(shares, (share) => share)).toBe(total);
        expect(shares.every((share) => share >= ZERO)).toBe(true);
      },
    ),
  );
});
