import { type ZoneFacts, zoneContainsZone } from '../../geography/zones/zone-matching';
import { isBlank } from '../../platform/blank';
import {
  type Amount,
  compareDecimals,
  type Currency,
  formatPercent,
  multiplyByFraction,
  sumDecimals,
} from '../../platform/money';

export interface TaxRateFacts {
  id: number;
  /** Defaults to the name of the category if null or blank. */
  name: string | null;
  /** A fraction as decimal string: `"0.19"` is 19 percent. */
  amount: string;
  included_in_price: boolean;
  show_rate_in_label: boolean;
  tax_category_id: number;
  tax_category_name: string;
  /** If null, the rate never applies. */
  zone: ZoneFacts | null;
}

/** A tax rate that applies to an order. A refund subtracts an included tax that the order's zone does not pay. */
export interface ApplicableRate {
  rate: TaxRateFacts;
  isRefund: boolean;
}

/** One tax of a line item or shipment: an adjustment with source_type `Store::TaxRate`. */
export interface TaxAdjustment {
  source_id: number;
  label: string;
  /** The name of the tax without its rate, for the display_cost of shipping rates. */
  name: string;
  amount: Amount;
  /** True if the amount is part of the price and does not count towards the total. */
  included: boolean;
  /** A fraction as decimal string, negative for a refund. */
  rate: string;
  /** The sum of the rates that the price includes; `"0"` if the tax is added to it. */
  included_rates: string;
}

/**
 * Returns the rates that apply in an order's zone: those whose zone is or contains it, and the included rates of the
 * default zone. The latter are refunds if the order's zone is outside the default zone, and do not apply if another
 * rate of their category does, or if they are zero: then nothing is refunded, and what is sold has no tax of the
 * default zone. Without an order zone there is no tax.
 */
export function selectApplicableRates(
  rates: readonly TaxRateFacts[],
  orderZone: ZoneFacts | null,
  defaultZone: ZoneFacts | null,
): ApplicableRate[] {
  if (!orderZone) return [];
  const charged = rates.filter(({ zone }) => zone && covers(zone, orderZone));
  // Inside the default zone this includes its own rates, so nothing is refunded there.
  const taxed = new Set(charged.map((rate) => rate.tax_category_id));
  const refunded = rates.filter(
    (rate) =>
      rate.included_in_price &&
      defaultZone !== null &&
      rate.zone?.id === defaultZone.id &&
      !taxed.has(rate.tax_category_id) &&
      compareDecimals(rate.amount, '0') > 0,
  );
  return [
    ...charged.map((rate) => ({ rate, isRefund: false })),
    ...refunded.map((rate) => ({ rate, isRefund: true })),
  ];
}

/**
 * Calculates the taxes of one line item or shipment, each rounded half up to the currency's unit. Returns zero amounts
 * too, so that a sold line item keeps their rates; replies omit them. `item.amount` is price x quantity (or the
 * shipping cost) plus promotions. `item.tax_category_id` is the category of the variant, else of its product, else the
 * default one; for a shipment that of its method. Null means untaxed.
 */
export function calculateTaxes(
  item: { amount: Amount; tax_category_id: number | null },
  applicable: readonly ApplicableRate[],
  currency: Currency,
): TaxAdjustment[] {
  const own = applicable.filter(({ rate }) => rate.tax_category_id === item.tax_category_id);
  const included = own.filter(({ rate }) => rate.included_in_price).map(({ rate }) => rate.amount);
  return own.map(({ rate, isRefund }) => {
    const terms = {
      rate: isRefund ? `-${rate.amount}` : rate.amount,
      included_rates: rate.included_in_price ? sumDecimals(...included) : '0',
    };
    return {
      source_id: rate.id,
      label: buildLabel(rate, isRefund),
      name: buildName(rate),
      amount: calculateTax(item.amount, terms, currency),
      included: rate.included_in_price && !isRefund,
      ...terms,
    };
  });
}

/**
 * Calculates one tax of a discounted amount, rounded half up to the currency's unit. A price includes all included
 * taxes at once: it is the net price times (1 + the sum of their rates).
 */
export function calculateTax(
  amount: Amount,
  { rate, included_rates }: Pick<TaxAdjustment, 'rate' | 'included_rates'>,
  currency: Currency,
): Amount {
  return multiplyByFraction(amount, rate, sumDecimals('1', included_rates), currency);
}

function covers(zone: ZoneFacts, inner: ZoneFacts): boolean {
  return zone.id === inner.id || zoneContainsZone(zone, inner);
}

/** Builds `VAT`, then ` 20.0%` if shown, then ` (Included in Price)`. Refunds start with `Refund `. */
function buildLabel(rate: TaxRateFacts, isRefund: boolean): string {
  const shown = rate.show_rate_in_label ? ` ${formatPercent(rate.amount)}%` : '';
  const included = rate.included_in_price ? ' (Included in Price)' : '';
  return `${isRefund ? 'Refund ' : ''}${buildName(rate)}${shown}${included}`;
}

/** Returns the name of a refunded tax, with its rate if shown, from a label that `buildLabel` made; null for other labels. */
export function readRefundedTax(label: string): string | null {
  return /^Refund (.*) \(Included in Price\)$/s.exec(label)?.[1] ?? null;
}

function buildName(rate: TaxRateFacts): string {
  return isBlank(rate.name) ? rate.tax_category_name : rate.name;
}
