import { type ZoneFacts, zoneContainsZone } from '../../geography/zones/zone-matching';
import { isBlank } from '../../platform/blank';
import {
  type Amount,
  type Currency,
  ZERO,
  formatPercent,
  multiplyByFraction,
  negate,
  sumDecimals,
} from '../../platform/money';

export interface TaxRateFacts {
  id: number;
  /** Null or empty: the category's name is shown. */
  name: string | null;
  /** A fraction as decimal string: `"0.19"` is 19 percent. */
  amount: string;
  included_in_price: boolean;
  show_rate_in_label: boolean;
  tax_category_id: number;
  tax_category_name: string;
  /** Null: the rate applies nowhere. */
  zone: ZoneFacts | null;
}

/** A rate that holds for an order; `isRefund` when it takes out of the prices what the order's zone does not pay. */
export interface ApplicableRate {
  rate: TaxRateFacts;
  isRefund: boolean;
}

/** One tax of a line item or shipment, as an adjustment with source_type `Store::TaxRate`. */
export interface TaxAdjustment {
  source_id: number;
  label: string;
  /** The bare name of the tax, for the display_cost of shipping rates. */
  name: string;
  amount: Amount;
  /** True: the amount is inside the price already and does not count towards the total. */
  included: boolean;
}

/**
 * The rates that hold in an order's zone (behaviour 8.9): those whose zone is or contains it, and the included rates of the
 * default zone. Those are isRefund when the order lies outside the default zone, and are left out where another rate of
 * their category holds. Without an order zone there is no tax.
 */
export function selectApplicableRates(
  rates: readonly TaxRateFacts[],
  orderZone: ZoneFacts | null,
  defaultZone: ZoneFacts | null,
): ApplicableRate[] {
  if (!orderZone) return [];
  const charged = rates.filter(({ zone }) => zone && covers(zone, orderZone));
  // Inside the default zone its own rates are among these, so nothing is refunded there.
  const taxed = new Set(charged.map((rate) => rate.tax_category_id));
  const refunded = rates.filter(
    (rate) =>
      rate.included_in_price &&
      defaultZone !== null &&
      rate.zone?.id === defaultZone.id &&
      !taxed.has(rate.tax_category_id),
  );
  return [
    ...charged.map((rate) => ({ rate, isRefund: false })),
    ...refunded.map((rate) => ({ rate, isRefund: true })),
  ];
}

/**
 * The taxes of one line item or shipment, each rounded half up to the currency's unit; zero amounts make none.
 * `item.amount` is price x quantity (or the shipping cost) plus promotions, `item.tax_category_id` the variant's category,
 * else the product's, else the default one; a shipment's is its method's. Null: untaxed.
 */
export function calculateTaxes(
  item: { amount: Amount; tax_category_id: number | null },
  applicable: readonly ApplicableRate[],
  currency: Currency,
): TaxAdjustment[] {
  const own = applicable.filter(({ rate }) => rate.tax_category_id === item.tax_category_id);
  const included = own.filter(({ rate }) => rate.included_in_price).map(({ rate }) => rate.amount);
  // The price holds all included rates at once: it is (1 + their sum) times what would be paid without tax.
  const priceOfOne = sumDecimals('1', ...included);
  return own
    .map(({ rate, isRefund }) => {
      const base = rate.included_in_price ? priceOfOne : '1';
      const tax = multiplyByFraction(item.amount, rate.amount, base, currency);
      return {
        source_id: rate.id,
        label: buildLabel(rate, isRefund),
        name: buildName(rate),
        amount: isRefund ? negate(tax) : tax,
        included: rate.included_in_price && !isRefund,
      };
    })
    .filter((adjustment) => adjustment.amount !== ZERO);
}

function covers(zone: ZoneFacts, inner: ZoneFacts): boolean {
  return zone.id === inner.id || zoneContainsZone(zone, inner);
}

/** `VAT`, then ` 20.0%` when shown, then ` (Included in Price)`; isRefund begin with `Refund `. */
function buildLabel(rate: TaxRateFacts, isRefund: boolean): string {
  const shown = rate.show_rate_in_label ? ` ${formatPercent(rate.amount)}%` : '';
  const included = rate.included_in_price ? ' (Included in Price)' : '';
  return `${isRefund ? 'Refund ' : ''}${buildName(rate)}${shown}${included}`;
}

function buildName(rate: TaxRateFacts): string {
  return isBlank(rate.name) ? rate.tax_category_name : rate.name;
}
