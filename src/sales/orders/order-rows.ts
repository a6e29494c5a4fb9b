import { findConstraintErrors } from '../../errors/constraint-errors';
import { loadStockByLocation } from '../../inventory/availability.repository';
import { lockStockAt } from '../../inventory/stock-ledger';
import { buildFailure, type RowOutcome } from '../../platform/batch';
import { runInSavepoint, type Tx } from '../../platform/database/transaction';
import { InvalidResource, type FieldErrors } from '../../platform/errors';
import { compareDecimals } from '../../platform/money';
import { findSellableVariants } from '../fulfilment/sellable-variants.repository';
import type { Editor } from '../order-input/editor';
import { saveDraft } from '../order-updater/order-draft';
import type { OrderGraph } from '../order/order-graph';
import type { Cause } from '../order/state-changes.repository';
import { rejectAmbiguous } from './import-invoice';
import { findKnownRecords, loadImportNames } from './import-names.repository';
import { readImportedParts } from './import-order';
import { IMPORT_REASON, importSale, insertCart, parseCurrency, parseNumber } from './import-sale';
import type { OrderCreateInput } from './order-input.schema';
import { readSale, type KnownNames, type SoldRow } from './sold-rows';

/** What the orders of a batch have in common. */
export interface SalesBatch {
  editor: Editor;
  user_id: number | null;
}

/** The error of the other rows of an order that is not imported. */
export const OTHER_ROW: FieldErrors = { base: ['another row of the order has errors'] };

/**
 * Imports orders that were sold elsewhere, as POST /orders does with `completed_at`. An order with an error in one row leaves no trace,
 * and all its rows fail. What the orders name is read at once, and stock that they take is locked first.
 * @returns the outcomes of the rows of each order
 */
export async function applySoldOrders(
  tx: Tx,
  orders: readonly (readonly SoldRow[])[],
  { editor, user_id }: SalesBatch,
): Promise<RowOutcome[][]> {
  const records = await findKnownRecords(tx, {
    numbers: orders.flatMap(([first]) => first?.number.toUpperCase() ?? []),
    emails: orders.flatMap((rows) => rows.flatMap(({ order }) => order.email?.toLowerCase() ?? [])),
  });
  const known = await loadKnownNames(tx, orders.flat(), { editor, currency: records.currency });
  await lockStockOf(tx, orders, known);
  const taken = new Set(records.taken_numbers);
  const owners = new Map(records.owners.map(({ id, email }) => [email, id]));
  const cause = { user_id, reason: IMPORT_REASON };
  const outcomes: RowOutcome[][] = [];
  for (const rows of orders) {
    const read = readSale(rows, known);
    if ('errors' in read) {
      outcomes.push(rows.map((_, at) => buildFailure(read.errors.get(at) ?? OTHER_ROW)));
      continue;
    }
    const user_id = owners.get(read.input.email?.toLowerCase() ?? '') ?? null;
    const total = rows.find(({ order }) => order.total != null)?.order.total ?? null;
    const sale = {
      input: read.input,
      user_id,
      total,
      isTaken: taken.has(rows[0]?.number.toUpperCase() ?? ''),
    };
    const outcome = await importOne(tx, sale, { editor, cause });
    outcomes.push(
      rows.map((_, at) => (at === 0 || outcome.status !== 'failed' ? outcome : buildFailure(OTHER_ROW))),
    );
  }
  return outcomes;
}

async function loadKnownNames(
  tx: Tx,
  rows: readonly SoldRow[],
  { editor, currency }: { editor: Editor; currency: string },
): Promise<KnownNames & { variants: ReadonlyMap<string, number> }> {
  const names = await loadImportNames(tx);
  const skus = [...new Set(rows.map(({ sku }) => sku))];
  const variants = await findSellableVariants(tx, editor, { ids: [], skus }, currency);
  return {
    skus: new Set(variants.map(({ sku }) => sku)),
    variants: new Map(variants.map(({ sku, id }) => [sku, id])),
    tax_rates: names.tax_rates,
    shipping_method: names.shipping_methods[0]?.name ?? null,
    currency,
  };
}

/**
 * Locks the stock that the orders may take, by id, because each of them would lock its own in any order. Orders that have shipped take
 * none, and sales would wait for the batch; the time is on one of their rows only.
 */
async function lockStockOf(
  tx: Tx,
  orders: readonly (readonly SoldRow[])[],
  { variants }: { variants: ReadonlyMap<string, number> },
): Promise<void> {
  const unshipped = orders.filter((rows) => rows.every(({ order }) => order.shipped_at === null));
  const ids = new Set(unshipped.flat().flatMap(({ sku }) => variants.get(sku) ?? []));
  if (ids.size > 0) await lockStockAt(tx, (await loadStockByLocation(tx, [...ids])).stock);
}

interface Sale {
  input: OrderCreateInput;
  user_id: number | null;
  /** What the order must cost; null for whatever its rows add up to. */
  total: string | null;
  isTaken: boolean;
}

/** Imports one order, or undoes it. @returns the outcome of its first row */
async function importOne(
  tx: Tx,
  { input, user_id, total, isTaken }: Sale,
  { editor, cause }: { editor: Editor; cause: Cause },
): Promise<RowOutcome> {
  const completedAt = input.completed_at ?? null;
  try {
    if (isTaken) throw new InvalidResource({ number: ['has already been taken'] });
    if (completedAt === null || completedAt > editor.now()) {
      throw new InvalidResource({ completed_at: ['cannot be in the future'] });
    }
    rejectAmbiguous(input);
    const { id } = await runInSavepoint(tx, async () => {
      const work = { input, parts: readImportedParts(input), editor, cause };
      const cart = await insertCart(tx, { ...readColumns(input), user_id }, work);
      const order = await saveDraft(tx, await importSale(tx, cart, completedAt, work));
      checkTotal(order, total);
      return order;
    });
    return { status: 'changed', id };
  } catch (error) {
    const errors = error instanceof InvalidResource ? error.errors : findConstraintErrors(error);
    if (errors === null) throw error;
    return buildFailure(toColumns(errors));
  }
}

function readColumns({ number, channel, currency, email }: OrderCreateInput) {
  return {
    email: email ?? null,
    ...(number != null && { number: parseNumber(number) }),
    ...(channel != null && channel !== '' && { channel }),
    ...(currency != null && currency !== '' && { currency: parseCurrency(currency) }),
  };
}

function checkTotal({ total }: OrderGraph, stated: string | null): void {
  if (stated !== null && compareDecimals(stated, total) !== 0) {
    throw new InvalidResource({ total: [`is ${total} by the rows`] });
  }
}

/** The columns of fields of POST /orders; the fields of a tax or a discount are checked before. */
const COLUMNS: readonly (readonly [path: string, column: string])[] = [
  ['line_items.variant', 'sku'],
  ['line_items.adjustments.', 'tax_'],
  ['line_items.', ''],
  ['shipments.adjustments.', 'ship_tax_'],
  ['shipments.cost', 'ship_total'],
  ['shipments.', ''],
  ['payments.amount', 'paid'],
  ['payments.', ''],
  ['adjustments.amount', 'order_adjustment'],
  ['adjustments.', 'order_adjustment_'],
  ['bill_address.', 'bill_'],
  ['ship_address.', 'ship_'],
];

function toColumns(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => {
      const found = COLUMNS.find(([prefix]) => path.startsWith(prefix));
      return [found === undefined ? path : `${found[1]}${path.slice(found[0].length)}`, messages];
    }),
  );
}
