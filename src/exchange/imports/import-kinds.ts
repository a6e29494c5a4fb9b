import type { z } from 'zod';
import { applyCustomerRows } from '../../accounts/users/customer-rows';
import { generatePassword, hashPassword } from '../../accounts/passwords';
import { buildProductKey } from '../../catalog/products/product-key';
import { applyProductRows } from '../../catalog/products/product-rows';
import { applyPriceRows } from '../../catalog/variants/price-rows';
import { isBlank } from '../../platform/blank';
import { notifyOrdersAs } from '../../inventory/backorders';
import { applyStockRows } from '../../inventory/stock-items/stock-rows';
import { applyParsed, type ParsedRow, type RowOutcome } from '../../platform/batch';
import type { Tx } from '../../platform/database/transaction';
import { captureForDispatch } from '../../sales/shipments/capture-for-dispatch';
import { applyDispatchRows } from '../../sales/shipments/dispatch-rows';
import type { DispatchRow } from '../../sales/shipments/dispatch-rows.schema';
import type { Deps } from '../context';
import { applyOrderCells } from './order-cells';
import { CustomerCells } from '../rows/customer-rows.schema';
import { OrderCells } from '../rows/order-rows.schema';
import { PriceRow } from '../../catalog/variants/price-rows.schema';
import { ProductCells } from '../../catalog/products/product-cells.schema';
import { parseRow } from '../rows/row-fields';
import { ShipmentCells } from '../../sales/shipments/dispatch-rows.schema';
import { StockCells } from '../../inventory/stock-items/stock-rows.schema';

export const IMPORT_KINDS = ['products', 'stock', 'prices', 'customers', 'shipments', 'orders'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The kinds whose imports wait for each other in a process. Old orders may take an hour, for which trackings should not wait. */
export const IMPORT_LANES: readonly (readonly ImportKind[])[] = [
  ['products', 'stock', 'prices', 'customers', 'shipments'],
  ['orders'],
];

/** The cells of a row by column. A column that the file lacks is missing. */
export type Cells = Readonly<Record<string, string>>;

/** In whose name rows are written; `user_id` is null for the program itself. */
export interface ImportContext {
  deps: Deps;
  user_id: number | null;
}

/** Writes the rows of a batch. */
export interface BatchWriter {
  /** Runs before each transaction that is to be committed, for what cannot run in one. Repeatable. */
  before?: (rows: readonly Cells[]) => Promise<void>;
  /** `isTrial`: the transaction will be rolled back, and `before` has not run. */
  apply: (tx: Tx, rows: readonly Cells[], isTrial: boolean) => Promise<RowOutcome[]>;
}

/** How the rows of a kind are read and written. */
interface KindRules {
  /** The columns that are read; others are ignored. */
  columns: readonly string[];
  /** A file needs one column of each list. */
  required: readonly (readonly string[])[];
  /** Rows with the same key stay in one batch, and must follow each other. Undefined if rows are independent. */
  group?: {
    of: (cells: Cells) => string;
    /** The column of the key, and what the rows of a group are together. */
    column: string;
    noun: string;
    /** Whether a group is written as a whole or not at all. */
    isWhole: boolean;
  };
  /** How many rows a transaction writes; defaults to 500. */
  batch?: number;
  /** A text that only one row of the file may have; undefined for none. */
  uniqueOf?: (cells: Cells) => { column: string; value: string } | undefined;
  /** Prepares what all batches of a file use. */
  prepare(context: ImportContext): BatchWriter | Promise<BatchWriter>;
}

/** Writes the rows that a schema can read. */
const writeParsed = <S extends z.ZodType>(
  schema: S,
  write: (tx: Tx, rows: readonly z.output<S>[]) => Promise<RowOutcome[]>,
): BatchWriter => ({
  apply: (tx, rows) => applyParsed(parseAll(schema, rows), (valid) => write(tx, valid)),
});

const parseAll = <S extends z.ZodType>(schema: S, rows: readonly Cells[]) =>
  rows.map((row) => parseRow(schema, row));

/** Parses rows of shipments. A blank cell is as if the file lacked the column. */
function parseShipments(rows: readonly Cells[]): ParsedRow<DispatchRow>[] {
  const filled = rows.map((cells) =>
    Object.fromEntries(Object.entries(cells).filter(([, cell]) => !isBlank(cell))),
  );
  return parseAll(ShipmentCells, filled);
}

const NAMED = ['sku', 'variant_id'];

const keyOfOrder = ({ number = '' }: Cells): string => number.trim().toUpperCase();

export const KINDS: Readonly<Record<ImportKind, KindRules>> = {
  products: {
    columns: Object.keys(ProductCells.shape),
    required: [['slug', 'name', 'sku']],
    group: {
      of: ({ slug, name, sku = '' }) => buildProductKey({ slug, name }) || `sku ${sku}`,
      column: 'slug',
      noun: 'product',
      isWhole: false,
    },
    uniqueOf: ({ sku = '' }) => (sku === '' ? undefined : { column: 'sku', value: sku }),
    prepare: ({ deps, user_id }) =>
      writeParsed(ProductCells, (tx, rows) =>
        applyProductRows(tx, rows, { stock: deps.variantStock(user_id), now: deps.now() }),
      ),
  },
  stock: {
    columns: Object.keys(StockCells.shape),
    required: [NAMED, ['count_on_hand', 'adjust', 'counted', 'backorderable']],
    prepare: ({ deps, user_id }) =>
      writeParsed(StockCells, (tx, rows) =>
        applyStockRows(tx, rows, { action: 'import', onFilled: notifyOrdersAs(deps, tx, user_id) }),
      ),
  },
  prices: {
    columns: Object.keys(PriceRow.shape),
    required: [NAMED, ['price']],
    prepare: () => writeParsed(PriceRow, applyPriceRows),
  },
  customers: {
    columns: Object.keys(CustomerCells.shape),
    required: [['email']],
    async prepare() {
      // A random password that is not kept: these accounts have none until a reset. One hash for all of them, because
      // each takes a tenth of a second.
      const digest = await hashPassword(generatePassword());
      return writeParsed(CustomerCells, (tx, rows) => applyCustomerRows(tx, rows, digest));
    },
  },
  shipments: {
    columns: Object.keys(ShipmentCells.shape),
    required: [['number'], ['tracking', 'tracking_url', 'ship']],
    prepare: ({ deps, user_id }) => {
      let declined: ReadonlyMap<number, string> = new Map();
      return {
        async before(rows) {
          const valid = parseShipments(rows).flatMap((parsed) => ('row' in parsed ? [parsed.row] : []));
          declined = await captureForDispatch(deps, valid, user_id);
        },
        apply: (tx, rows, isTrial) => {
          const batch = { at: deps.now(), user_id, declined, isTrial };
          return applyParsed(parseShipments(rows), (valid) => applyDispatchRows(tx, valid, batch));
        },
      };
    },
  },
  orders: {
    columns: Object.keys(OrderCells.shape),
    required: [['number'], ['email'], ['completed_at'], ['sku'], ['price']],
    group: {
      of: keyOfOrder,
      column: 'number',
      noun: 'order',
      isWhole: true,
    },
    // Each order takes some twenty statements, and its transaction holds back the feeds. The commit makes the documents, within the
    // time limit of a statement, and a cancellation waits for it.
    batch: 25,
    prepare: (context) => ({
      apply: (tx, rows) => applyOrderCells(tx, rows, { ...context, keyOf: keyOfOrder }),
    }),
  },
};

/** Returns the problem of a header; null if the file can be imported. */
export function findHeaderProblem(kind: ImportKind, names: readonly string[]): string | null {
  const duplicate = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (duplicate !== undefined) return `has two columns ${JSON.stringify(duplicate)}`;
  const missing = KINDS[kind].required.find((one) => !one.some((name) => names.includes(name)));
  return missing === undefined ? null : `has no column ${missing.join(' or ')}`;
}

/** Returns the columns of a header that are not read. */
export function findIgnoredColumns(kind: ImportKind, names: readonly string[]): string[] {
  return names.filter((name) => name !== '' && !KINDS[kind].columns.includes(name));
}
