import { isBlank } from '../../platform/blank';
import { BLANK, InvalidResource, type FieldErrors } from '../../platform/errors';
import {
  type Amount,
  type Currency,
  compareDecimals,
  divideDecimals,
  getSmallestUnit,
  multiply,
  multiplyByFraction,
  negate,
  roundMoney,
  subtract,
  sum,
  sumDecimals,
  sumOf,
  toAmount,
  toDecimal,
  ZERO,
} from '../../platform/money';
import { TAX_SOURCE } from '../order/order-totals';
import type { NewAdjustment } from '../pricing/new-adjustment';
import { calculateTax } from '../pricing/tax-rules';
import type { NamedTaxRate } from './import-names.repository';

/** An adjustment of an order that was sold elsewhere, as it was sent. With `included` or a rate it is a tax. */
export interface AdjustmentToImport {
  label?: string | null | undefined;
  amount?: string | null | undefined;
  included?: boolean | null | undefined;
  taxed?: boolean | null | undefined;
  /** The name or the id of a tax rate. */
  tax_rate?: string | null | undefined;
  tax_rate_id?: number | null | undefined;
  /** A fraction, of a tax whose rate the store does not have. */
  rate?: string | null | undefined;
}

/** A part of the order, or the order itself, with what it costs before its adjustments. */
export interface AdjustedPart {
  line_item_id: number | null;
  shipment_id: number | null;
  amount: Amount;
  /** Its units, of which other systems may have rounded the tax of each. */
  count: number;
}

interface ImportWork {
  currency: Currency;
  /** Whether the order was sold: open orders are taxed by the store. */
  isSold: boolean;
  rates: readonly NamedTaxRate[];
  /** What errors are reported under: `adjustments`, `line_items.adjustments` ... */
  path: string;
}

const isTax = ({ included, tax_rate, tax_rate_id, rate }: AdjustmentToImport): boolean =>
  included === true || !isBlank(tax_rate) || tax_rate_id != null || rate != null;

/** A part of the order, or the order itself, with the adjustments to import. */
export interface ImportedPart extends AdjustedPart {
  /** The field of its errors. */
  path: string;
  rows: readonly AdjustmentToImport[];
}

/**
 * Builds the adjustments of an order, its line items and its shipments. If only the order has taxes, as in files of systems that store
 * one tax for each order, they are shared among its line items and shipments, in proportion to their cost.
 * @throws InvalidResource
 */
export function buildOrderAdjustments(
  whole: ImportedPart,
  parts: readonly ImportedPart[],
  work: Omit<ImportWork, 'path'>,
): NewAdjustment[] {
  const taxes = whole.rows.filter(isTax);
  const isShared = taxes.length > 0 && !parts.some(({ rows }) => rows.some(isTax));
  const shared = isShared ? shareTaxes(taxes, { whole, parts }, work) : null;
  if (shared === null) {
    return [whole, ...parts].flatMap((part) =>
      buildImportedAdjustments(part, part.rows, { ...work, path: part.path }),
    );
  }
  const others = whole.rows.filter((row) => !isTax(row));
  return [...buildImportedAdjustments(whole, others, { ...work, path: whole.path }), ...shared];
}

/** Shares the taxes of an order among its parts. Null if the parts cost nothing. */
function shareTaxes(
  taxes: readonly AdjustmentToImport[],
  { whole, parts }: { whole: ImportedPart; parts: readonly ImportedPart[] },
  work: Omit<ImportWork, 'path'>,
): NewAdjustment[] | null {
  const priced = parts.map((part) => readPart(part, part.rows, { ...work, path: part.path, isTaxed: true }));
  const total = sumOf(priced, ({ taxable }) => taxable);
  if (total <= ZERO) return null;
  const ofOrder = { ...work, path: whole.path };
  const read = taxes.map((row) => readTax(row, total, ofOrder));
  rejectRepeated(read, ofOrder);
  let before = ZERO;
  return priced.flatMap(({ part, others, taxable }) => {
    const upTo = sum(before, taxable);
    const shareUpTo = (amount: Amount, limit: Amount): Amount =>
      multiplyByFraction(amount, toDecimal(limit), toDecimal(total), work.currency);
    const own = read.map((tax) => ({
      ...tax,
      amount: subtract(shareUpTo(tax.amount, upTo), shareUpTo(tax.amount, before)),
    }));
    before = upTo;
    return [...others, ...buildTaxes(part, { read: own, taxable }, ofOrder)];
  });
}

/** Reads the adjustments of a part other than taxes, and its taxable amount. */
function readPart<Part extends AdjustedPart>(
  part: Part,
  rows: readonly AdjustmentToImport[],
  work: ImportWork & { isTaxed: boolean },
): { part: Part; others: NewAdjustment[]; taxable: Amount } {
  const others = rows.filter((row) => !isTax(row)).map((row) => buildOther(part, row, work));
  const taxed = others.filter((other) => other.taxed === true);
  return {
    part,
    others,
    taxable: sum(
      part.amount,
      sumOf(taxed, ({ amount }) => toAmount(amount)),
    ),
  };
}

/**
 * Builds the adjustments of one part of an order. Taxes keep their amounts while the part costs what it costs now, and follow it by
 * their rate after that. Other adjustments of a taxed part are discounts that are taxed too, unless `taxed` is false.
 * @throws InvalidResource
 */
export function buildImportedAdjustments(
  part: AdjustedPart,
  rows: readonly AdjustmentToImport[],
  work: ImportWork,
): NewAdjustment[] {
  const taxes = rows.filter(isTax);
  const ofPart = part.line_item_id !== null || part.shipment_id !== null;
  const { others, taxable } = readPart(part, rows, { ...work, isTaxed: ofPart && taxes.length > 0 });
  const read = taxes.map((row) => readTax(row, taxable, work));
  rejectRepeated(read, work);
  // A tax of the order may be of some of its line items only.
  if (ofPart) rejectOtherRates(read, { taxable, count: part.count }, work);
  return [...others, ...buildTaxes(part, { read, taxable: ofPart ? taxable : null }, work)];
}

function refuse({ path }: ImportWork, field: string, message: string): InvalidResource {
  const errors: FieldErrors = { [`${path}.${field}`]: [message] };
  return new InvalidResource(errors);
}

function readAmount(row: AdjustmentToImport, work: ImportWork): string {
  if (row.amount == null) throw refuse(work, 'amount', BLANK);
  return roundMoney(row.amount, work.currency);
}

function buildOther(
  { line_item_id, shipment_id }: AdjustedPart,
  row: AdjustmentToImport,
  { isTaxed, ...work }: ImportWork & { isTaxed: boolean },
): NewAdjustment {
  if (isBlank(row.label)) throw refuse(work, 'label', BLANK);
  if (row.taxed === true && line_item_id === null && shipment_id === null) {
    throw refuse(work, 'taxed', 'must be blank for adjustments of the whole order');
  }
  return {
    line_item_id,
    shipment_id,
    source_type: null,
    source_id: null,
    label: row.label,
    amount: readAmount(row, work),
    taxed: row.taxed ?? isTaxed,
    closed: work.isSold,
  };
}

interface ReadTax {
  /** Whether the rate is the present one of the tax rate that was named: none was sent. */
  isPresent: boolean;
  label: string;
  amount: Amount;
  rate: string;
  included: boolean;
  source_id: number | null;
}

/**
 * Rejects a tax that the tax rate which it names gives no longer: changes and documents of the order would be taxed at a rate at which it
 * was not sold.
 */
function rejectOtherRates(
  read: readonly ReadTax[],
  { taxable, count }: { taxable: Amount; count: number },
  work: ImportWork,
): void {
  const included_rates = sumIncludedRates(read);
  const rounding = multiply(getSmallestUnit(work.currency), count);
  for (const { isPresent, included, rate, amount } of read) {
    const terms = { rate, included_rates: included ? included_rates : '0' };
    const difference = subtract(calculateTax(taxable, terms, work.currency), amount);
    if (isPresent && (difference > rounding || negate(difference) > rounding))
      throw refuse(work, 'rate', 'must be sent if the tax rate has another amount now');
  }
}

const sumIncludedRates = (read: readonly ReadTax[]): string =>
  sumDecimals(...read.filter(({ included }) => included).map(({ rate }) => rate), '0');

/** Reads a tax. Its rate is that of a tax rate of the store, the given one, or else what the amount is of its base. */
function readTax(row: AdjustmentToImport, taxable: Amount, work: ImportWork): ReadTax {
  if (!work.isSold) throw refuse(work, 'tax_rate', 'must be blank unless the order is complete');
  if (row.taxed === true) throw refuse(work, 'taxed', 'must be blank for a tax');
  const amount = toAmount(readAmount(row, work));
  if (amount < ZERO) throw refuse(work, 'amount', 'must be greater than or equal to 0');
  const found = findTaxRate(row, { taxable, amount }, work);
  const included = row.included ?? found?.included_in_price ?? false;
  if (included && amount > taxable) throw refuse(work, 'amount', 'must be less than what includes it');
  const net = included ? subtract(taxable, amount) : taxable;
  const derived = net === ZERO ? '0' : divideDecimals([amount], [net], 5);
  const label = isBlank(row.label) ? found?.name : row.label;
  if (isBlank(label)) throw refuse(work, 'label', BLANK);
  return {
    isPresent: row.rate == null && found !== undefined,
    label,
    amount,
    included,
    rate: row.rate ?? found?.amount ?? derived,
    source_id: found?.id ?? null,
  };
}

/** Several rates may have one name, such as `VAT`: then it is the one that gives the amount. */
function findTaxRate(
  row: AdjustmentToImport,
  { taxable, amount }: { taxable: Amount; amount: Amount },
  work: ImportWork,
): NamedTaxRate | undefined {
  const gives = ({ amount: rate, included_in_price }: NamedTaxRate): boolean =>
    calculateTax(taxable, { rate, included_rates: included_in_price ? rate : '0' }, work.currency) === amount;
  const byName = !isBlank(row.tax_rate) || row.tax_rate_id != null;
  const named = byName ? listNamed(row, work.rates) : work.rates.filter((rate) => isLike(row, rate));
  if (byName && named.length === 0) throw refuse(work, 'tax_rate', BLANK);
  const matching = named.length === 1 && byName ? named : named.filter(gives);
  if (matching.length === 1) return matching[0];
  if (byName) throw refuse(work, 'tax_rate', 'is the name of several tax rates; send its id');
  return undefined;
}

function listNamed(
  { tax_rate, tax_rate_id }: AdjustmentToImport,
  rates: readonly NamedTaxRate[],
): NamedTaxRate[] {
  if (tax_rate_id != null) return rates.filter(({ id }) => id === tax_rate_id);
  const named = rates.filter(({ name }) => name === tax_rate);
  return named.length > 0 ? named : rates.filter(({ id }) => String(id) === tax_rate);
}

/** Whether a tax that names no tax rate matches this one. A different label at an equal rate is another tax, such as one of a former law. */
const isLike = (row: AdjustmentToImport, { name, amount, included_in_price }: NamedTaxRate): boolean =>
  included_in_price === (row.included ?? false) &&
  (row.rate == null ||
    (compareDecimals(row.rate, amount) === 0 && (isBlank(row.label) || row.label === name)));

function rejectRepeated(taxes: readonly ReadTax[], work: ImportWork): void {
  const keys = taxes.map(({ source_id, rate, included }) => `${source_id} ${sumDecimals(rate)} ${included}`);
  if (new Set(keys).size < keys.length) throw refuse(work, 'tax_rate', 'is repeated');
}

function buildTaxes(
  { line_item_id, shipment_id }: AdjustedPart,
  { read, taxable }: { read: readonly ReadTax[]; taxable: Amount | null },
  { isSold }: ImportWork,
): NewAdjustment[] {
  const included_rates = sumIncludedRates(read);
  return read.map(({ label, amount, rate, included, source_id }) => ({
    line_item_id,
    shipment_id,
    source_type: TAX_SOURCE,
    source_id,
    label,
    rate,
    included,
    amount: toDecimal(amount),
    included_rates: included ? included_rates : '0',
    closed: isSold,
    sold_amount: taxable === null ? null : toDecimal(amount),
    sold_base: taxable === null ? null : toDecimal(taxable),
  }));
}
