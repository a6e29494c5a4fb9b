import { compareDecimals, formatPercent, sumDecimals } from '../../platform/money';
import { isZero, negateDecimal } from './decimal-text';
import type { DocumentFormats } from './document-formats';
import type { DocumentEntry, DocumentRecord, DocumentSnapshot } from './documents.repository';
import { findReasonLabel, isIntraCommunity } from './tax-free-reason';
import { isBlank } from '../../platform/blank';

/** The tax of a line: its category, and for a taxed one the rate in percent; else why it is not taxed. */
export interface Category {
  code: 'S' | 'Z' | 'G' | 'K' | 'E';
  percent: string;
  reason: string | null;
}

/** A line of an electronic invoice. */
export interface Line {
  entry: DocumentEntry;
  name: string;
  quantity: number;
  net: string;
  tax: string;
  category: Category;
}

/** The sums of a category at a rate. `rounding` is what the document rounds once for all lines. */
export interface CategorySum extends Category {
  net: string;
  tax: string;
  rounding: string;
}

/** Credit notes have negative entries; in the XML their type says so (BT-3). */
export function listLines(document: DocumentRecord, formats: DocumentFormats): Line[] {
  const sign = document.kind === 'credit_note' ? negateDecimal : (amount: string) => amount;
  return document.entries.map((entry) => {
    const [net, tax] = [sign(entry.net), sign(entry.tax)];
    const units = Math.abs(entry.quantity ?? 1) || 1;
    return {
      entry,
      name: findName(entry, formats),
      // A price is never negative (BR-27), so the quantity is.
      quantity: compareDecimals(net, '0') < 0 ? -units : units,
      net,
      tax,
      category: findCategory(entry, document.snapshot, formats),
    };
  });
}

/** Every line needs a name (BR-25). Freight without a shipping method has none, nor has what a return gives back beyond it. */
function findName({ kind, label: own }: DocumentEntry, { label }: DocumentFormats): string {
  if (own !== null && !isBlank(own)) return own;
  if (kind === 'freight') return label('shipping');
  if (kind === 'return') return label(own === null ? 'returned_other' : 'shipping');
  return label('amount');
}

function findCategory(
  { taxes: [tax], reason }: DocumentEntry,
  snapshot: DocumentSnapshot,
  { label }: DocumentFormats,
): Category {
  if (tax !== undefined) {
    const isFree = isZero(tax.rate);
    return { code: isFree ? 'Z' : 'S', percent: twoDecimals(formatPercent(tax.rate)), reason: null };
  }
  if (reason === null) return { code: 'E', percent: '0.00', reason: label('tax_free') };
  const abroad = isIntraCommunity(snapshot, reason) ? 'K' : 'E';
  const code = reason === 'export' ? 'G' : abroad;
  return { code, percent: '0.00', reason: label(findReasonLabel(snapshot, reason)) };
}

/**
 * Sums the lines by category and rate (BG-23). If the document rounds taxes once per rate, its printed sums apply, and the
 * difference of their net amounts is a charge or an allowance.
 */
export function sumCategories({ snapshot }: DocumentRecord, lines: readonly Line[]): CategorySum[] {
  const sums = new Map<string, CategorySum>();
  for (const { category, net, tax } of lines) {
    const key = `${category.code} ${category.percent}`;
    const sum = sums.get(key) ?? { ...category, net: '0', tax: '0', rounding: '0' };
    sums.set(key, { ...sum, net: sumDecimals(sum.net, net), tax: sumDecimals(sum.tax, tax) });
  }
  return [...sums.values()].map((sum) => {
    const printed = snapshot.rates.filter(
      ({ rate }) => rate !== null && sum.reason === null && twoDecimals(formatPercent(rate)) === sum.percent,
    );
    if (printed.length === 0) return sum;
    const net = sumDecimals(...printed.map((one) => one.net));
    const tax = sumDecimals(...printed.map((one) => one.tax));
    return { ...sum, net, tax, rounding: sumDecimals(net, negateDecimal(sum.net)) };
  });
}

/** Writes an amount with at least two decimals. */
export const twoDecimals = (amount: string): string => {
  const [whole = '0', fraction = ''] = amount.split('.');
  const digits = fraction.replace(/0+$/, '');
  return `${whole}.${digits.padEnd(2, '0')}`;
};
