import type { FieldErrors } from '../../platform/errors';
import {
  type Amount,
  type Currency,
  compareDecimals,
  multiplyByFraction,
  parseDecimal,
  roundDecimal,
  roundToCurrency,
  sum,
  multiply,
  toAmount,
} from '../../platform/money';

/** What a package weighs in for its price: number of items, and sum of their current variant prices. */
export interface PackageContent {
  quantity: number;
  value: Amount;
}

/** The cost of one package by one calculator. */
export type CalculateCost = (goods: PackageContent, currency: Currency) => Amount;

export interface Calculator {
  /** The only currency it knows; null for any. */
  currency: Currency | null;
  calculateCost: CalculateCost;
  /** What it read, as it is stored: amounts as decimal strings, counts as integers. */
  preferences: StoredPreferences;
}

export type StoredPreferences = Record<string, string | number | null>;

/** No shipment costs more; with any quantity a sum stays far within what rows can hold. */
const MAX_COST = '99999999.99';

/** The five calculators of behaviour 8.4; each reads its preferences once and answers the price of a package. */
const CALCULATORS = {
  /** The same for every shipment. Preference: amount. */
  flat_rate: (preferences) => {
    const amount = preferences.amount('amount');
    return () => amount;
  },
  /** Preference: amount, per item. */
  per_item: (preferences) => {
    const amount = preferences.amount('amount');
    return ({ quantity }) => multiply(amount, quantity);
  },
  /** Preference: flat_percent of the package's value, 12.5 for 12.5 percent. */
  flat_percent: (preferences) => {
    const percent = preferences.number('flat_percent');
    return ({ value }, currency) => multiplyByFraction(value, percent, '100', currency);
  },
  /** Preferences: normal_amount below minimal_amount of value, discount_amount from there on. */
  price_sack: (preferences) => {
    const minimal = preferences.amount('minimal_amount');
    const normal = preferences.amount('normal_amount');
    const discount = preferences.amount('discount_amount');
    return ({ value }) => (value < minimal ? normal : discount);
  },
  /** Preferences: first_item, additional_item, max_items per group (0: one group); each group begins with first_item. */
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

// Object.keys forgets that these are exactly the keys.
export const CALCULATOR_TYPES = Object.keys(CALCULATORS) as CalculatorType[];

/**
 * Reads a shipping method's calculator. Missing or empty preferences are zero; unknown ones are ignored.
 * @returns the calculator, or errors by preference name (`calculator_type` for an unknown type).
 */
export function buildCalculator(type: string, preferences: unknown): Calculator | { errors: FieldErrors } {
  if (!isCalculatorType(type)) return { errors: { calculator_type: ['is invalid'] } };
  const reader = readPreferences(preferences);
  const calculateCost = CALCULATORS[type](reader);
  const currency = reader.currency();
  if (Object.keys(reader.errors).length > 0) return { errors: reader.errors };
  return {
    currency,
    calculateCost: (goods, own) => roundToCurrency(calculateCost(goods, own), own),
    preferences: { ...reader.read, currency },
  };
}

/** The cost of a package, null when the calculator has no price in that currency. */
export function calculateShippingCost(calculator: Calculator, goods: PackageContent, currency: Currency): Amount | null {
  const isForeign = calculator.currency !== null && calculator.currency !== currency;
  return isForeign ? null : calculator.calculateCost(goods, currency);
}

function isCalculatorType(type: string): type is CalculatorType {
  return Object.hasOwn(CALCULATORS, type);
}

interface Preferences {
  errors: FieldErrors;
  read: StoredPreferences;
  amount(name: string): Amount;
  number(name: string): string;
  count(name: string): number;
  currency(): Currency | null;
}

function readPreferences(raw: unknown): Preferences {
  const given = new Map(typeof raw === 'object' && raw !== null ? Object.entries(raw) : []);
  const errors: FieldErrors = {};
  const read: StoredPreferences = {};
  const number = (name: string): string => {
    const value: unknown = given.get(name) ?? '0';
    const parsed = value === '' ? '0' : parseDecimal(value);
    const problem = parsed === null ? 'is not a number' : findBoundsError(parsed);
    if (problem !== null) errors[name] = [problem];
    read[name] = problem === null && parsed !== null ? parsed : '0';
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
      if (typeof value === 'string' && /^[A-Z]{3}$/.test(value)) return value;
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
