import type { FieldErrors } from '../../platform/errors';
import {
  type Amount,
  type Currency,
  compareDecimals,
  isCurrency,
  multiplyByFraction,
  parseDecimal,
  roundDecimal,
  roundToCurrency,
  sum,
  multiply,
  toAmount,
} from '../../platform/money';

/** The content of a package: number of units, and the sum of the prices they are sold at. */
export interface PackageContent {
  quantity: number;
  value: Amount;
}

/** Returns the cost of one package. */
export type CalculateCost = (content: PackageContent, currency: Currency) => Amount;

export interface Calculator {
  /** The only currency it has prices in; null for any. */
  currency: Currency | null;
  calculateCost: CalculateCost;
  /** The preferences as they are stored: amounts as decimal strings, counts as integers. */
  preferences: StoredPreferences;
}

export type StoredPreferences = Record<string, string | number | null>;

/** The preferences of all calculators, and what they are. */
export const PREFERENCES = {
  currency: 'The only currency in which there is a price; null for any.',
  amount: 'The cost of a parcel (`flat_rate`) or of a unit (`per_item`).',
  flat_percent: 'The share of the value of the parcel: 12.5 for 12.5 percent.',
  minimal_amount: 'The value from which a parcel costs `discount_amount`.',
  normal_amount: 'The cost of a parcel below `minimal_amount`.',
  discount_amount: 'The cost of a parcel from `minimal_amount`.',
  first_item: 'The cost of the first unit of each group.',
  additional_item: 'The cost of each other unit.',
  max_items: 'The units of a group; 0 for one group.',
};

type PreferenceName = keyof typeof PREFERENCES;

/** The highest amount of a preference. Sums stay within the numeric columns for any quantity. */
const MAX_COST = '99999999.99';

/** The five calculators of shipping methods. Each reads its preferences once and returns a function of the package. */
const CALCULATORS = {
  /** The same cost for every shipment. Preference: amount. */
  flat_rate: (preferences) => {
    const amount = preferences.amount('amount');
    return () => amount;
  },
  /** A cost per unit. Preference: amount. */
  per_item: (preferences) => {
    const amount = preferences.amount('amount');
    return ({ quantity }) => multiply(amount, quantity);
  },
  /** A percentage of the value of the package. Preference: flat_percent, 12.5 for 12.5 percent. */
  flat_percent: (preferences) => {
    const percent = preferences.number('flat_percent');
    return ({ value }, currency) => multiplyByFraction(value, percent, '100', currency);
  },
  /** normal_amount if the value is below minimal_amount, else discount_amount. */
  price_sack: (preferences) => {
    const minimal = preferences.amount('minimal_amount');
    const normal = preferences.amount('normal_amount');
    const discount = preferences.amount('discount_amount');
    return ({ value }) => (value < minimal ? normal : discount);
  },
  /** first_item for the first unit of each group of max_items (0: one group), additional_item for the others. */
  flexi_rate: (preferences) => {
    const first = preferences.amount('first_item');
    const additional = preferences.amount('additional_item');
    const groupSize = preferences.count('max_items');
    return ({ quantity }) => {
      const groups = groupSize > 0 ? Math.ceil(quantity / groupSize) : Math.min(1, quantity);
      return sum(multiply(first, groups), multiply(additional, quantity - groups));
    };
  },
} as const satisfies Record<string, (preferences: Preferences) => CalculateCost>;

export type CalculatorType = keyof typeof CALCULATORS;

// Object.keys returns string[]; these are exactly the keys.
export const CALCULATOR_TYPES = Object.keys(CALCULATORS) as CalculatorType[];

/**
 * Builds the calculator of a shipping method. Missing or empty preferences are zero; unknown ones are ignored.
 * @returns the calculator, or errors by preference name (`calculator_type` for an unknown type)
 */
export function buildCalculator(type: string, preferences: unknown): Calculator | { errors: FieldErrors } {
  if (!isCalculatorType(type)) return { errors: { calculator_type: ['is invalid'] } };
  const reader = readPreferences(preferences);
  const calculateCost = CALCULATORS[type](reader);
  const currency = reader.currency();
  if (Object.keys(reader.errors).length > 0) return { errors: reader.errors };
  return {
    currency,
    calculateCost: (content, inCurrency) => roundToCurrency(calculateCost(content, inCurrency), inCurrency),
    preferences: { ...reader.read, currency },
  };
}

/** Calculates the cost of a package; null if the calculator has no price in the currency. */
export function calculateShippingCost(
  calculator: Calculator,
  content: PackageContent,
  currency: Currency,
): Amount | null {
  const isForeign = calculator.currency !== null && calculator.currency !== currency;
  return isForeign ? null : calculator.calculateCost(content, currency);
}

function isCalculatorType(type: string): type is CalculatorType {
  return Object.hasOwn(CALCULATORS, type);
}

interface Preferences {
  errors: FieldErrors;
  read: StoredPreferences;
  amount(name: PreferenceName): Amount;
  number(name: PreferenceName): string;
  count(name: PreferenceName): number;
  currency(): Currency | null;
}

function readPreferences(raw: unknown): Preferences {
  const given = new Map(typeof raw === 'object' && raw !== null ? Object.entries(raw) : []);
  const errors: FieldErrors = {};
  const read: StoredPreferences = {};
  const number = (name: PreferenceName): string => {
    const value: unknown = given.get(name) ?? '0';
    const parsed = value === '' ? '0' : parseDecimal(value);
    const error = parsed === null ? 'is not a number' : findBoundsError(parsed);
    if (error !== null) errors[name] = [error];
    read[name] = error === null && parsed !== null ? parsed : '0';
    return read[name];
  };
  return {
    errors,
    read,
    number,
    amount: (name) => {
      const rounded = roundDecimal(number(name), 2);
      read[name] = rounded;
      return toAmount(rounded);
    },
    count: (name) => {
      const value = Number(number(name));
      if (!Number.isSafeInteger(value)) errors[name] = ['must be an integer'];
      const count = Number.isSafeInteger(value) ? value : 0;
      read[name] = count;
      return count;
    },
    currency: () => {
      const value: unknown = given.get('currency') ?? null;
      if (value === null || value === '') return null;
      if (typeof value === 'string' && isCurrency(value)) return value;
      errors['currency'] = ['is invalid'];
      return null;
    },
  };
}

function findBoundsError(decimalString: string): string | null {
  if (decimalString.startsWith('-')) return 'must be greater than or equal to 0';
  if (compareDecimals(decimalString, MAX_COST) > 0) return `must be less than or equal to ${MAX_COST}`;
  return null;
}
