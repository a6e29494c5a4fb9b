import fc from 'fast-check';
import type { ZoneFacts } from '../../../src/geography/zones/zone-matching';
import { sumOf, multiply, toAmount, toDecimal } from '../../../src/platform/money';
import {
  selectApplicableRates,
  calculateTaxes,
  readRefundedTax,
  type TaxRateFacts,
} from '../../../src/sales/pricing/tax-rules';

const country = (id: number) => ({ country_id: id, state_id: null, state_country_id: null });
const state = (id: number, of: number) => ({ country_id: null, state_id: id, state_country_id: of });
const zone = (id: number, members: ZoneFacts['members'], default_tax = false): ZoneFacts => ({
  id,
  default_tax,
  members,
});

const usa = zone(1, [country(840)]);
const newYork = zone(2, [state(36, 840)]);
const spain = zone(3, [country(724)], true);
const france = zone(4, [country(250)]);

const rate = (
  id: number,
  amount: string,
  of: ZoneFacts | null,
  changes: Partial<TaxRateFacts> = {},
): TaxRateFacts => ({
  id,
  name: 'VAT',
  amount,
  included_in_price: false,
  show_rate_in_label: true,
  tax_category_id: 1,
  tax_category_name: 'Clothing',
  zone: of,
  ...changes,
});
const included = (
  id: number,
  amount: string,
  of: ZoneFacts,
  changes: Partial<TaxRateFacts> = {},
): TaxRateFacts => rate(id, amount, of, { included_in_price: true, ...changes });

describe('selectApplicableRates', () => {
  const idsOf = (rates: TaxRateFacts[], orderZone: ZoneFacts | null, defaultZone: ZoneFacts | null = null) =>
    selectApplicableRates(rates, orderZone, defaultZone).map(({ rate: { id }, isRefund }) =>
      isRefund ? -id : id,
    );

  test('rates apply in their zone and in zones inside it', () => {
    const rates = [
      rate(1, '0.05', usa),
      rate(2, '0.04', newYork),
      rate(3, '0.2', france),
      rate(4, '0.1', null),
    ];
    expect(idsOf(rates, newYork)).toEqual([1, 2]);
    expect(idsOf(rates, usa)).toEqual([1]);
    expect(idsOf(rates, null)).toEqual([]);
  });

  test('included rates of the default zone apply there and are refunded elsewhere', () => {
    expect(idsOf([included(1, '0.21', spain)], spain, spain)).toEqual([1]);
    expect(idsOf([included(1, '0.21', spain)], usa, spain)).toEqual([-1]);
    expect(idsOf([rate(1, '0.21', spain)], usa, spain)).toEqual([]);
  });

  test('a zero rate of the default zone refunds nothing elsewhere, so what is exported is not taxed', () => {
    expect(idsOf([included(1, '0', spain)], spain, spain)).toEqual([1]);
    expect(idsOf([included(1, '0', spain)], usa, spain)).toEqual([]);
  });

  test('no refund where another rate of the category is charged', () => {
    const spanish = included(1, '0.21', spain);
    expect(idsOf([spanish, included(2, '0.2', france)], france, spain)).toEqual([2]);
    expect(idsOf([spanish, included(2, '0.2', france, { tax_category_id: 7 })], france, spain)).toEqual([
      2, -1,
    ]);
  });
});

describe('calculateTaxes', () => {
  const taxesOf = (price: string, rates: TaxRateFacts[], orderZone: ZoneFacts, currency = 'USD') =>
    calculateTaxes(
      { amount: toAmount(price), tax_category_id: 1 },
      selectApplicableRates(rates, orderZone, spain),
      currency,
    ).map(({ label, amount, included: inside }) => [label, toDecimal(amount), inside]);

  test('an additional rate is rounded half up to cents', () => {
    expect(taxesOf('19.99', [rate(1, '0.05', usa)], usa)).toEqual([['VAT 5.0%', '1.0', false]]);
    expect(taxesOf('10.10', [rate(1, '0.05', usa)], usa)).toEqual([['VAT 5.0%', '0.51', false]]); // 0.505
    expect(taxesOf('1234', [rate(1, '0.0825', usa)], usa, 'JPY')).toEqual([['VAT 8.25%', '102.0', false]]);
  });

  test('an included tax is calculated from the gross price', () => {
    expect(taxesOf('121', [included(1, '0.21', spain)], spain)).toEqual([
      ['VAT 21.0% (Included in Price)', '21.0', true],
    ]);
  });

  test('several included rates share one base', () => {
    expect(taxesOf('115', [included(1, '0.05', spain), included(2, '0.1', spain)], spain)).toEqual([
      ['VAT 5.0% (Included in Price)', '5.0', true],
      ['VAT 10.0% (Included in Price)', '10.0', true],
    ]);
  });

  test('a rate that is added beside an included one is a tax on the price', () => {
    expect(taxesOf('110', [included(1, '0.1', spain), rate(2, '0.05', spain)], spain)).toEqual([
      ['VAT 10.0% (Included in Price)', '10.0', true],
      ['VAT 5.0%', '5.5', false],
    ]);
  });

  test('outside the default zone the included tax is refunded by an additional adjustment', () => {
    const [refund] = taxesOf('121', [included(1, '0.21', spain)], usa);
    expect(refund).toEqual(['Refund VAT 21.0% (Included in Price)', '-21.0', false]);
    const [tax] = taxesOf('121', [included(1, '0.21', spain)], spain);
    expect([refund, tax].map((one) => readRefundedTax(String(one?.[0])))).toEqual(['VAT 21.0%', null]);
  });

  test('labels fall back to the category and may hide the rate', () => {
    const bare = { name: null, show_rate_in_label: false };
    expect(taxesOf('10', [rate(1, '0.1', usa, bare)], usa)).toEqual([['Clothing', '1.0', false]]);
    expect(taxesOf('10', [rate(1, '0.1', usa, { name: ' ' })], usa)).toEqual([
      ['Clothing 10.0%', '1.0', false],
    ]);
  });

  test('a tax of zero keeps its rate; other categories and untaxed items have no tax', () => {
    expect(taxesOf('0.05', [rate(1, '0.05', usa)], usa)).toEqual([['VAT 5.0%', '0.0', false]]);
    const rates = selectApplicableRates([rate(1, '0.05', usa)], usa, null);
    expect(calculateTaxes({ amount: toAmount('10'), tax_category_id: 2 }, rates, 'USD')).toEqual([]);
    expect(calculateTaxes({ amount: toAmount('10'), tax_category_id: null }, rates, 'USD')).toEqual([]);
  });

  test('included taxes never exceed the price, nor differ from the exact share by more than a cent each', () => {
    const rates = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.nat(10_000_000), rates, (hundredths, percents) => {
        const price = multiply(toAmount('0.01'), hundredths);
        const own = percents.map((percent, index) =>
          included(index + 1, `0.${String(percent).padStart(5, '0')}`, spain),
        );
        const adjustments = calculateTaxes(
          { amount: price, tax_category_id: 1 },
          selectApplicableRates(own, spain, spain),
          'USD',
        );
        const tax = sumOf(adjustments, (adjustment) => adjustment.amount);
        const whole = BigInt(percents.reduce((all, percent) => all + percent, 0));
        const error = tax * (100_000n + whole) - price * whole;
        const tolerance = BigInt(percents.length) * (100_000n + whole);
        expect(2n * (error < 0n ? -error : error)).toBeLessThanOrEqual(tolerance);
        expect(adjustments.every((adjustment) => adjustment.included)).toBe(true);
      }),
    );
  });
});
