import { type Place, type ZoneFacts, zoneContainsAddress } from '../../geography/zones/zone-matching';
import { type Amount, type Currency, compareAmounts, displayMoney, toDecimal } from '../../platform/money';
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

/** Where and how a package is to go. `chosen_method_id`: the method selected so far, kept while it is still offered. */
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
  /** True for exactly one rate of a non-empty answer. */
  selected: boolean;
}

/**
 * The rates of one package (behaviour 8.4), by cost ascending, then method id; the chosen method stays selected, else the
 * cheapest is. Methods that are deleted, for admins only, miss one of the package's categories, do not reach the
 * destination, know another currency only or have unreadable preferences are not offered. Empty: it cannot be shipped.
 */
export function estimateRates(
  goods: PackageContent & { shipping_category_ids: readonly number[] },
  methods: readonly ShippingMethodFacts[],
  wish: RateRequest,
): ProposedRate[] {
  const offers = methods
    .filter((method) => isCandidate(method, goods.shipping_category_ids, wish.destination))
    .flatMap((method) => {
      const cost = calculateMethodCost(method, goods, wish.currency);
      return cost === null ? [] : [{ method, cost }];
    })
    .sort((one, other) => compareAmounts(one.cost, other.cost) || one.method.id - other.method.id);
  const kept = offers.some(({ method }) => method.id === wish.chosen_method_id);
  const selected = kept ? wish.chosen_method_id : offers[0]?.method.id;
  return offers.map(({ method, cost }) => ({
    shipping_method_id: method.id,
    name: method.name,
    shipping_method_code: method.code,
    cost,
    selected: method.id === selected,
  }));
}

/** `$5.00`, with its taxes when the method is taxed: `$5.00 (incl. $0.83 VAT)`, `$5.00 (+ $0.50 State tax)`. */
export function displayCost(
  cost: Amount,
  taxes: readonly Pick<TaxAdjustment, 'name' | 'amount' | 'included'>[],
  currency: Currency,
): string {
  const shown = (amount: Amount): string => displayMoney(toDecimal(amount), currency);
  const notes = taxes.map(
    ({ name, amount, included }) => ` (${included ? 'incl.' : '+'} ${shown(amount)} ${name})`,
  );
  return shown(cost) + notes.join('');
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

function calculateMethodCost(method: ShippingMethodFacts, goods: PackageContent, currency: Currency): Amount | null {
  const calculator = buildCalculator(method.calculator_type, method.calculator_preferences);
  return 'errors' in calculator ? null : calculateShippingCost(calculator, goods, currency);
}
