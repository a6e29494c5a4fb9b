import { compareDecimals, divideDecimals, sumDecimals } from '../../platform/money';
import { isZero, negateDecimal } from './decimal-text';
import { fitColumn, type Cell, type Column } from './document-columns';
import type { DocumentFormats } from './document-formats';
import { TABLE_WIDTH, type DocumentPage } from './document-page';
import type { DocumentEntry, DocumentRecord } from './documents.repository';

/** Between the rates and the amounts to their left, which are as close as columns are if neither is short. */
const RATE_GAP = 8;

/** The largest width of a column of amounts, so that names keep a column: thirteen digits and their separators. */
const LARGEST = 110;

/** Builds the columns and rows of the lines of a document. Columns that are empty in all rows are left out. */
export function buildLines(
  page: DocumentPage,
  document: DocumentRecord,
  formats: DocumentFormats,
): [Column[], Cell[][]] {
  const { label } = formats;
  const sign = document.kind === 'credit_note' ? negateDecimal : (amount: string) => amount;
  const discounts = document.entries
    .map((entry) => sign(calculateShownDiscount(entry)))
    .filter((amount) => !isZero(amount));
  const hasDiscounts = discounts.length > 0;
  const isPriced = document.entries.some(isCounted);
  const isSurcharged = discounts.some((amount) => compareDecimals(amount, '0') > 0);
  const measure = (text: string): number => page.measureCell(text);
  const fit = (texts: readonly string[], smallest: number): number =>
    fitColumn(texts, { smallest, largest: LARGEST }, measure);
  const discountTitle = label(isSurcharged ? 'discount_or_surcharge' : 'discount');
  const discountWidth = Math.min(Math.max(66, page.measureCell(discountTitle)), 90);
  const rates = document.entries.map((entry) => listRates(entry, formats));
  const rateWidth = Math.max(48, ...rates.flat().map((text) => page.measureCell(text) + RATE_GAP));
  const prices = document.entries.map((entry) =>
    isCounted(entry) && entry.price !== null ? formats.money(entry.price) : '',
  );
  const shownDiscounts = document.entries.map((entry) => {
    const discount = calculateShownDiscount(entry);
    return isZero(discount) ? '' : formats.money(sign(discount));
  });
  const amounts = document.entries.map((entry) => formats.money(sign(calculateShownAmount(entry))));
  const widths = {
    quantity: isPriced ? 52 : 0,
    unit_price: isPriced ? fit(prices, 70) : 0,
    discount: hasDiscounts ? fit(shownDiscounts, discountWidth) : 0,
    tax_rate: Math.min(rateWidth, 100),
    amount: fit(amounts, 78),
  };
  const used = Object.values(widths).reduce((all, width) => all + width, 0);
  const columns: Column[] = [
    { title: label('item'), width: TABLE_WIDTH - used, align: 'left' },
    ...(isPriced ? [{ title: label('quantity'), width: widths.quantity, align: 'right' } as const] : []),
    ...(isPriced ? [{ title: label('unit_price'), width: widths.unit_price, align: 'right' } as const] : []),
    ...(hasDiscounts ? [{ title: discountTitle, width: widths.discount, align: 'right' } as const] : []),
    { title: label('tax_rate'), width: widths.tax_rate, align: 'right' },
    { title: label('amount'), width: widths.amount, align: 'right' },
  ];
  const rows = document.entries.map((entry, at) => {
    const { quantity } = entry;
    const count = document.kind === 'credit_note' ? -(quantity ?? 0) : (quantity ?? 0);
    return [
      describeEntry(entry, document, formats),
      ...(isPriced ? [[isCounted(entry) ? String(count) : ''], [prices[at] ?? '']] : []),
      ...(hasDiscounts ? [[shownDiscounts[at] ?? '']] : []),
      rates[at] ?? [],
      [amounts[at] ?? ''],
    ];
  });
  return [columns, rows];
}

const isCounted = ({ quantity }: DocumentEntry): boolean => quantity !== null && quantity !== 0;

/**
 * The discount in the amount of an entry. Returned units have what the amount differs from their price by, besides a tax that the price
 * contains and the amount does not. Documents of earlier versions do not have that tax of exported units.
 */
function calculateShownDiscount(entry: DocumentEntry): string {
  const { kind, quantity, price, reason, discount, relief } = entry;
  if (kind !== 'return' || quantity === null || price === null) return discount;
  if (reason === 'export' && isZero(relief)) return discount;
  return sumDecimals(
    calculateShownAmount(entry),
    negateDecimal(divideDecimals([String(quantity), price], ['1'], 2)),
    negateDecimal(relief),
  );
}

/** The amount as prices are shown: with included taxes, without those that are added. */
function calculateShownAmount({ net, taxes }: DocumentEntry): string {
  return sumDecimals(net, ...taxes.filter(({ included }) => included).map(({ amount }) => amount));
}

function describeEntry(
  entry: DocumentEntry,
  { snapshot, kind }: DocumentRecord,
  formats: DocumentFormats,
): string[] {
  const { label, money } = formats;
  const { label: own, sku, options, was, held, relief, charges = [] } = entry;
  const names: Record<DocumentEntry['kind'], string> = {
    line: own ?? '',
    adjustment: own ?? '',
    tax: own ?? '',
    freight: [label('shipping'), own].filter(Boolean).join(': '),
    return: describeReturn(entry, formats),
    refund:
      kind === 'credit_note' && snapshot.refunded_at !== undefined
        ? label('refund')
        : label('already_credited'),
    difference: label('difference'),
  };
  const isReduced = snapshot.locale === 'ja' && entry.taxes.some(({ reduced }) => reduced);
  const details = [options, sku === null || sku === '' ? null : `${label('sku')} ${sku}`].filter(Boolean);
  // A surcharge changes neither the units nor their price.
  const isSame = was?.quantity === held?.quantity && was?.price === held?.price;
  const isChanged = kind === 'correction' && entry.kind === 'line' && !isSame;
  const describeUnits = (name: 'before' | 'after', units: DocumentEntry['was']): string[] =>
    !isChanged || units === undefined || units.quantity === 0 || units.price === null
      ? []
      : [label(name, { quantity: String(units.quantity), price: money(units.price) })];
  const before = describeUnits('before', was);
  return [
    `${names[entry.kind]}${isReduced ? ' ※' : ''}`,
    ...(details.length > 0 ? [details.join(', ')] : []),
    ...before,
    ...(before.length > 0 ? describeUnits('after', held) : []),
    ...charges.map(
      (one) => `${one.label} ${money(kind === 'credit_note' ? negateDecimal(one.amount) : one.amount)}`,
    ),
    ...(isZero(relief)
      ? []
      : [`${label('tax')} ${money(kind === 'credit_note' ? negateDecimal(relief) : relief)}`]),
  ];
}

/** A return of freight has a name and no line item; what a return gives back beyond items and freight has neither. */
function describeReturn(
  { label: own, line_item_id, sku }: DocumentEntry,
  { label }: DocumentFormats,
): string {
  if (own === null) return label('returned_other');
  const isFreight = line_item_id === null && sku === null;
  const name = isFreight ? [label('shipping'), own].filter(Boolean).join(' ') : own;
  return `${label('returned')}: ${name}`;
}

function listRates({ taxes, reason }: DocumentEntry, { percent, label }: DocumentFormats): string[] {
  if (taxes.length > 0) return [taxes.map(({ rate }) => percent(rate)).join(' + ')];
  return reason === null ? [''] : [label('tax_free')];
}
