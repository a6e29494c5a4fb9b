import type { AdjustmentRow, ShipmentGraph } from '../../../src/sales/order/order-graph';
import { isTaxedAlike, moveCost, removeEmptyShipments } from '../../../src/sales/fulfilment/moved-freight';
import { buildAdjustment, type NewAdjustment } from '../../../src/sales/pricing/new-adjustment';

/** The cost of a shipment that another one of the same order takes over. */

const SOLD = { id: 1, completed_at: new Date(0), transaction_time: new Date(0) };

const aShipment = (id: number, cost: string, more: Partial<ShipmentGraph> = {}): ShipmentGraph =>
  // `moveCost` reads only these columns.
  ({ id, cost, fixed_cost: null, state: 'ready', units: [], ...more }) as unknown as ShipmentGraph;

const of = (shipment_id: number, terms: Partial<NewAdjustment>): AdjustmentRow =>
  buildAdjustment(SOLD, {
    line_item_id: null,
    shipment_id,
    source_type: null,
    source_id: null,
    amount: '1.0',
    label: 'Fee',
    ...terms,
  });

const discount = { source_type: 'Store::PromotionAction', source_id: 3 } as const;
const tax = { source_type: 'Store::TaxRate', source_id: 4 } as const;

const show = ({ shipment_id, label, amount, sold_amount, sold_base, percent }: AdjustmentRow) => [
  shipment_id,
  label,
  amount,
  sold_amount,
  sold_base,
  percent,
];

test('takes its discounts and taxes with it, which are kept for the cost after discounts', () => {
  const [from, to] = [aShipment(1, '10.00'), aShipment(2, '0.00')];
  const adjustments = [
    of(1, { ...discount, label: 'Half', amount: '-2.0', percent: '50' }),
    of(1, { label: 'Taxed fee', amount: '1.0', taxed: true }),
    of(1, { ...tax, label: 'VAT', amount: '1.71' }),
    of(1, { ...discount, source_id: 9, label: 'Refused', amount: '-1.0', eligible: false }),
    of(2, { label: 'Fee', amount: '3.0' }),
  ];
  const moved = moveCost({ shipments: [from, to], adjustments }, { from, to });
  expect(moved.shipments.map(({ cost, fixed_cost }) => [cost, fixed_cost])).toEqual([
    ['10.00', null],
    ['10.0', '10.0'],
  ]);
  expect(moved.adjustments.map(show)).toEqual([
    [2, 'Half', '-2.0', '-2.0', '10.0', '20'],
    [2, 'Taxed fee', '1.0', null, null, null],
    [2, 'VAT', '1.71', '1.71', '9.0', null],
    [1, 'Refused', '-1.0', null, null, null],
    [2, 'Fee', '3.0', null, null, null],
  ]);
});

test('adds to what the other shipment costs; one source has one adjustment', () => {
  const [from, to] = [aShipment(1, '5.00'), aShipment(2, '5.00')];
  const adjustments = [
    of(1, { ...tax, label: 'VAT', amount: '0.80' }),
    of(1, { label: 'Fee', amount: '1.0' }),
    of(2, { ...tax, label: 'VAT', amount: '0.80' }),
    of(2, { label: 'Fee', amount: '1.0' }),
  ];
  const moved = moveCost({ shipments: [from, to], adjustments }, { from, to });
  expect(moved.adjustments.map(show)).toEqual([
    [2, 'Fee', '1.0', null, null, null],
    [2, 'VAT', '1.6', '1.6', '10.0', null],
    [2, 'Fee', '1.0', null, null, null],
  ]);
});

test('a shipment without cost leaves the kept amounts of the other one', () => {
  const [from, to] = [aShipment(1, '0.00'), aShipment(2, '5.00')];
  const adjustments = [of(2, { ...tax, label: 'VAT', amount: '0.80', sold_amount: '0.8', sold_base: '4.9' })];
  expect(moveCost({ shipments: [from, to], adjustments }, { from, to }).adjustments).toEqual(adjustments);
});

test('a shipment without cost takes over the rate of its tax, although a tax rate has changed since', () => {
  const [from, to] = [aShipment(1, '10.00'), aShipment(2, '0.00')];
  const adjustments = [
    of(2, { ...tax, label: 'VAT 19%', rate: '0.19', amount: '0.0' }),
    of(1, { ...tax, label: 'VAT 16%', rate: '0.16', amount: '1.38' }),
  ];
  const moved = moveCost({ shipments: [from, to], adjustments }, { from, to });
  expect(
    moved.adjustments.map(({ shipment_id, label, rate, amount }) => [shipment_id, label, rate, amount]),
  ).toEqual([[2, 'VAT 16%', '0.16', '1.38']]);
});

test('shipments without units are removed with their adjustments, except canceled ones', () => {
  // Only the number of units matters.
  const units = [{}] as unknown as ShipmentGraph['units'];
  const shipments = [
    aShipment(1, '5'),
    aShipment(2, '5', { units }),
    aShipment(3, '0', { state: 'canceled' }),
  ];
  const ofOrder = { ...of(1, {}), shipment_id: null };
  const adjustments = [of(1, {}), of(2, {}), of(3, {}), ofOrder];
  const left = removeEmptyShipments({ shipments, adjustments });
  expect(left.shipments.map(({ id }) => id)).toEqual([2, 3]);
  expect(left.adjustments).toEqual(adjustments.slice(1));
  const unchanged = { shipments: shipments.slice(1), adjustments };
  expect(removeEmptyShipments(unchanged)).toBe(unchanged);
});

describe('freight can be one', () => {
  const [one, other] = [aShipment(1, '5.00'), aShipment(2, '5.00')];
  const isOne = (...adjustments: AdjustmentRow[]): boolean =>
    isTaxedAlike({ shipments: [one, other], adjustments }, one, other);
  const vat = { ...tax, rate: '0.19' };

  test('without taxes, and with the same ones, however their rates are written', () => {
    expect(isOne()).toBe(true);
    expect(isOne(of(1, vat), of(2, { ...vat, rate: '0.190' }))).toBe(true);
  });

  test('not if only one of them is taxed, or has a further tax', () => {
    expect(isOne(of(1, vat))).toBe(false);
    expect(isOne(of(2, vat))).toBe(false);
    expect(isOne(of(1, vat), of(2, vat), of(2, { ...vat, source_id: 5 }))).toBe(false);
  });

  test('not at two taxes, or at two rates of one', () => {
    expect(isOne(of(1, vat), of(2, { ...vat, source_id: 5 }))).toBe(false);
    expect(isOne(of(1, vat), of(2, { ...vat, rate: '0.16' }))).toBe(false);
  });

  test('whatever the taxes are if a discount makes one of them free', () => {
    const free = of(1, { ...discount, amount: '-5.00' });
    expect(isOne(of(1, vat), free)).toBe(true);
    expect(isOne(of(1, vat), { ...free, eligible: false })).toBe(false);
  });
});
