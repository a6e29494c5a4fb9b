import type { z } from 'zod';
import type { AddressInput } from '../../geography/addresses/addresses.schema';
import { isBlank } from '../../platform/blank';
import { BLANK, InvalidResource, type FieldErrors } from '../../platform/errors';
import { multiply, roundMoney, sum, toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import { buildImportedAdjustments, type AdjustmentToImport } from './import-adjustments';
import type { NamedTaxRate } from './import-names.repository';
import { toFieldErrors } from '../../platform/http/field-errors';
import { OrderCreate, type OrderCreateInput } from './order-input.schema';
import type { lineCells, orderCells } from './sold-cells.schema';

/** What a file says of an order, on any of its rows. */
export type SoldOrderCells = Partial<z.output<z.ZodObject<typeof orderCells>>> & {
  bill_address?: AddressInput | undefined;
  ship_address?: AddressInput | undefined;
};

/** A row of a file of orders that were sold elsewhere: a line item, and what the file says of its order. */
export type SoldRow = z.output<z.ZodObject<typeof lineCells>> & { order: SoldOrderCells };

/** What the rows of a batch can name. */
export interface KnownNames {
  skus: ReadonlySet<string>;
  tax_rates: readonly NamedTaxRate[];
  /** The name of the method of freight whose method the file does not name; null if the store has no method. */
  shipping_method: string | null;
  /** The currency of orders whose currency the file does not name. */
  currency: string;
}

/** The errors of the rows of an order, by their place among them. */
export type RowErrors = ReadonlyMap<number, FieldErrors>;

/** An order of a file as POST /orders accepts it, or the errors of its rows. */
export type ReadSale = { input: OrderCreateInput } | { errors: RowErrors };

type OrderCell = keyof SoldOrderCells;

/** Reads the rows of an order. Nothing that a cell says is dropped: what contradicts another row is an error. */
export function readSale(rows: readonly SoldRow[], known: KnownNames): ReadSale {
  const errors = new Map<number, FieldErrors>();
  const add = (at: number, found: FieldErrors) => errors.set(at, { ...errors.get(at), ...found });
  const order = joinOrderCells(rows, add);
  rows.forEach(({ sku, adjustment, adjustment_label, tax, tax_rate, rate }, at) => {
    if (!known.skus.has(sku)) add(at, { sku: ['does not exist'] });
    if (isPresent(adjustment) && isBlank(adjustment_label)) add(at, { adjustment_label: [BLANK] });
    if (tax == null && (!isBlank(tax_rate) || rate != null)) add(at, { tax: [BLANK] });
    if (isPresent(tax) && isBlank(tax_rate)) add(at, { tax_rate: [BLANK] });
  });
  for (const [column, isMissing] of listMissing(order, known)) if (isMissing) add(0, { [column]: [BLANK] });
  if (errors.size > 0) return { errors };
  const work = { currency: order.currency ?? known.currency, rates: known.tax_rates };
  const lines = joinLines(rows).map(({ at, ...line }) => ({
    at,
    ...line,
    ...sumPart(line, work, (found) => add(at, found)),
  }));
  const freight = buildFreight(order, rows);
  const shipped = sumPart(freight, work, (found) => add(0, prefixFreight(found)));
  if (errors.size > 0) return { errors };
  const charged = isPresent(order.order_adjustment)
    ? toAmount(roundMoney(order.order_adjustment, work.currency))
    : ZERO;
  const total = sum(charged, shipped.total, ...lines.map((line) => line.total));
  return buildInput(rows, { order, lines, freight, total }, known);
}

const isPresent = (amount: string | null | undefined): amount is string =>
  amount != null && toAmount(amount) !== ZERO;

/** Returns what the rows say of their order. Each cell needs a value on one row only. */
function joinOrderCells(
  rows: readonly SoldRow[],
  add: (at: number, errors: FieldErrors) => void,
): SoldOrderCells {
  const joined = new Map<string, unknown>();
  rows.forEach(({ order }, at) => {
    for (const [column, value] of Object.entries(order)) {
      const earlier = joined.get(column) ?? null;
      if (earlier === null) joined.set(column, value);
      else if (value != null && JSON.stringify(value) !== JSON.stringify(earlier)) {
        add(at, { [COLUMN_OF_PART[column] ?? column]: ['differs from an earlier row of the order'] });
      }
    }
  });
  return Object.fromEntries(joined);
}

const COLUMN_OF_PART: Readonly<Record<string, string>> = {
  bill_address: 'bill_address1',
  ship_address: 'ship_address1',
};

function listMissing(order: SoldOrderCells, known: KnownNames): [OrderCell, boolean][] {
  const hasFreight = isPresent(order.ship_total);
  return [
    ['email', isBlank(order.email)],
    ['completed_at', order.completed_at == null],
    ['shipping_method', hasFreight && isBlank(order.shipping_method) && known.shipping_method === null],
    ['ship_total', !hasFreight && isPresent(order.ship_tax)],
    ['ship_tax', order.ship_tax == null && (!isBlank(order.ship_tax_rate) || order.ship_rate != null)],
    ['ship_tax_rate', isPresent(order.ship_tax) && isBlank(order.ship_tax_rate)],
    ['order_adjustment_label', isPresent(order.order_adjustment) && isBlank(order.order_adjustment_label)],
    [
      'payment_method',
      isBlank(order.payment_method) && (isPresent(order.paid) || !isBlank(order.payment_reference)),
    ],
    ['invoice_number', isBlank(order.invoice_number) && order.invoiced_at != null],
  ];
}

/** What is charged for a line item or for freight. */
interface ChargedPart {
  price: string;
  quantity: number;
  adjustments: AdjustmentToImport[];
}

type SoldLine = ChargedPart & { at: number; sku: string };

/** Lists the line items, one for each variant and price. Taxes at one rate are one tax. */
function joinLines(rows: readonly SoldRow[]): SoldLine[] {
  const lines = new Map<string, SoldLine>();
  rows.forEach((row, at) => {
    const key = `${row.price} ${row.sku}`;
    const line = lines.get(key) ?? { at, sku: row.sku, price: row.price, quantity: 0, adjustments: [] };
    const quantity = line.quantity + (row.quantity ?? 1);
    lines.set(key, {
      ...line,
      quantity,
      adjustments: joinTaxes([...line.adjustments, ...listAdjustments(row)]),
    });
  });
  return [...lines.values()];
}

function listAdjustments(row: SoldRow): AdjustmentToImport[] {
  const others = isPresent(row.adjustment) ? [{ label: row.adjustment_label, amount: row.adjustment }] : [];
  return [...others, ...listTaxes(row)];
}

function listTaxes({
  tax_rate,
  rate,
  tax,
  tax_included,
}: Pick<SoldRow, 'tax_rate' | 'rate' | 'tax' | 'tax_included'>): AdjustmentToImport[] {
  if (tax == null || isBlank(tax_rate)) return [];
  const included = tax_included === undefined ? {} : { included: tax_included };
  // A rate that the file states need not be one of the store; its name is what the customer read.
  return [{ amount: tax, ...included, ...(rate == null ? { tax_rate } : { rate, label: tax_rate }) }];
}

function joinTaxes(adjustments: readonly AdjustmentToImport[]): AdjustmentToImport[] {
  const joined = new Map<string, AdjustmentToImport>();
  for (const { amount, ...adjustment } of adjustments) {
    const isTax = adjustment.tax_rate != null || adjustment.rate != null;
    const key = isTax ? JSON.stringify(adjustment) : `other ${joined.size}`;
    const sumOfBoth = toDecimal(sum(toAmount(joined.get(key)?.amount ?? '0'), toAmount(amount ?? '0')));
    joined.set(key, { ...adjustment, amount: sumOfBoth });
  }
  return [...joined.values()];
}

/** A rate that the file states is included in freight as in the prices of the line items, unless the file says otherwise. */
function buildFreight(order: SoldOrderCells, rows: readonly SoldRow[]): ChargedPart {
  const { ship_total, ship_tax_rate, ship_rate, ship_tax } = order;
  const [ofLines, ...differing] = new Set(rows.flatMap((row) => row.tax_included ?? []));
  const likeLines = ship_rate != null && differing.length === 0 ? ofLines : undefined;
  const tax_included = order.ship_tax_included ?? likeLines;
  const taxes = listTaxes({ tax_rate: ship_tax_rate, rate: ship_rate, tax: ship_tax, tax_included });
  return { price: ship_total ?? '0', quantity: 1, adjustments: taxes };
}

/** Calculates what a part costs with its adjustments, which are built as the import does. */
function sumPart(
  { price, quantity, adjustments }: ChargedPart,
  { currency, rates }: { currency: string; rates: readonly NamedTaxRate[] },
  fail: (errors: FieldErrors) => void,
): { total: Amount } {
  const amount = multiply(toAmount(roundMoney(price, currency)), quantity);
  try {
    const part = { line_item_id: 0, shipment_id: null, amount, count: quantity };
    const built = buildImportedAdjustments(part, adjustments, { currency, isSold: true, rates, path: '' });
    const added = built.filter(({ included }) => included !== true);
    return { total: sum(amount, ...added.map((one) => toAmount(one.amount))) };
  } catch (error) {
    if (!(error instanceof InvalidResource)) throw error;
    fail(
      Object.fromEntries(
        Object.entries(error.errors).map(([path, messages]) => [TAX_COLUMNS[path] ?? path, messages]),
      ),
    );
    return { total: ZERO };
  }
}

/** The columns of the fields of a tax. Labels and amounts of other adjustments are checked before. */
const TAX_COLUMNS: Readonly<Record<string, string>> = {
  '.amount': 'tax',
  '.label': 'tax_rate',
  '.tax_rate': 'tax_rate',
  '.rate': 'rate',
};

function prefixFreight(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([column, messages]) => [`ship_${column}`, messages]));
}

/** What the rows say, joined. */
interface JoinedSale {
  order: SoldOrderCells;
  lines: readonly SoldLine[];
  freight: ChargedPart;
  total: Amount;
}

/** Builds the body of POST /orders, and parses it as one. */
function buildInput(
  rows: readonly SoldRow[],
  { order, lines, freight, total }: JoinedSale,
  known: KnownNames,
): ReadSale {
  const { email, completed_at, currency, channel, vat_id, special_instructions } = order;
  const { bill_address, ship_address, invoice_number, invoiced_at, documents } = order;
  const hasFreight = isPresent(order.ship_total);
  const method = isBlank(order.shipping_method) && hasFreight ? known.shipping_method : order.shipping_method;
  const shipment = {
    shipping_method: method,
    stock_location: order.stock_location,
    tracking: order.tracking,
    ...(hasFreight && { cost: freight.price, adjustments: freight.adjustments }),
    shipped_at: (order.shipped_at === undefined ? completed_at : order.shipped_at)?.toISOString(),
  };
  const paid = order.paid ?? toDecimal(total);
  const payment = {
    amount: paid,
    payment_method: order.payment_method,
    response_code: order.payment_reference,
  };
  const charge = { label: order.order_adjustment_label, amount: order.order_adjustment };
  const body = {
    number: rows[0]?.number,
    email,
    currency,
    channel,
    vat_id,
    special_instructions,
    bill_address,
    ship_address,
    completed_at: completed_at?.toISOString(),
    invoice_number,
    invoiced_at: invoiced_at?.toISOString(),
    documents,
    line_items: lines.map(({ sku, price, quantity, adjustments }) => ({ sku, price, quantity, adjustments })),
    shipments: [shipment],
    payments: isBlank(order.payment_method) || !isPresent(paid) ? [] : [payment],
    adjustments: isPresent(order.order_adjustment) ? [charge] : [],
  };
  const parsed = OrderCreate.safeParse({ order: body });
  if (parsed.success) return { input: parsed.data.order };
  return { errors: new Map([[0, toFieldErrors(parsed.error.issues, undefined)]]) };
}
