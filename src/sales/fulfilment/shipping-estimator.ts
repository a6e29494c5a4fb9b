import { type Place, type ZoneFacts, zoneContainsAddress } from '../../geography/zones/zone-matching';
import { type Amount, type Currency, ZERO, compareAmounts, negate, toDecimal } from '../../platform/money';
import { type MoneyDisplay, displayMoney } from '../../platform/money-format';
import type { TaxAdjustment } from '../pricing/tax-rules';
import { type PackageContent, buildCalculator, calculateShippingCost } from './calculators';

export interface ShippingMethodFacts {
  id: number;
  name: string;
  code: string | null;
  display_on: 'both' | 'back_end';
  is_deleted: boolean;
  shipping_category_ids: readonly number[];
  zones: readonly ZoneFacts[];
  calculator_type: string;
  calculator_preferences: unknown;
}

/** The destination and currency of a package, and the method selected so far, which stays selected if still offered. */
export interface RateRequest {
  destination: Place;
  currency: Currency;
  chosen_method_id: number | null;
}

export interface ProposedRate {
  shipping_method_id: number;
  name: string;
  shipping_method_code: string | null;
  cost: Amount;
  /** True for exactly one rate of a non-empty list. */
  selected: boolean;
}

/**
 * Calculates the rates of one package, by cost ascending, then by method id. The method selected so far stays selected,
 * else the cheapest is selected. A method is not offered if it is deleted, for admins only, lacks one of the shipping
 * categories, does not ship to the destination, has prices in another currency only or has invalid preferences. An
 * empty list means that the package cannot be shipped.
 */
export function estimateRates(
  content: PackageContent & { shipping_category_ids: readonly number[] },
  methods: readonly ShippingMethodFacts[],
  request: RateRequest,
): ProposedRate[] {
  const offers = methods
    .filter((method) => isCandidate(method, content.shipping_category_ids, request.destination))
    .flatMap((method) => {
      const cost = calculateMethodCost(method, content, request.currency);
      return cost === null ? [] : [{ method, cost }];
    })
    .sort((one, other) => compareAmounts(one.cost, other.cost) || one.method.id - other.method.id);
  const isStillOffered = offers.some(({ method }) => method.id === request.chosen_method_id);
  const selected = isStillOffered ? request.chosen_method_id : offers[0]?.method.id;
  return offers.map(({ method, cost }) => ({
    shipping_method_id: method.id,
    name: method.name,
    shipping_method_code: method.code,
    cost,
    selected: method.id === selected,
  }));
}

/**
 * Formats a cost with its taxes: `$5.00`, `$5.00 (incl. $0.83 VAT)`, `$5.00 (+ $0.50 State tax)`, and for an included tax that is
 * refunded, as Spree does, `$5.00 (excl. $0.83 VAT)`.
 */
export function displayCost(
  cost: Amount,
  taxes: readonly Pick<TaxAdjustment, 'name' | 'amount' | 'included'>[],
  shown: MoneyDisplay,
): string {
  const format = (amount: Amount): string => displayMoney(toDecimal(amount), shown);
  const notes = taxes.map(({ name, amount, included }) =>
    amount < ZERO
      ? ` (excl. ${format(negate(amount))} ${name})`
      : ` (${included ? 'incl.' : '+'} ${format(amount)} ${name})`,
  );
  return format(cost) + notes.join('');
}

function isCandidate(
  method: ShippingMethodFacts,
  categories: readonly number[],
  destination: Place,
): boolean {
  return (
    !method.is_deleted &&
    method.display_on !== 'back_end' &&
    categories.every((category) => method.shipping_category_ids.includes(category)) &&
    method.zones.some((zone) => zoneContainsAddress(zone, destination))
  );
}

function calculateMethodCost(
  method: ShippingMethodFacts,
  content: PackageContent,
  currency: Currency,
): Amount | null {
  const calculator = buildCalculator(method.calculator_type, method.calculator_preferences);
  return 'errors' in calculator ? null : calculateShippingCost(calculator, content, currency);
}
