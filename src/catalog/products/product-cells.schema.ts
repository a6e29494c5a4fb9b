import { z } from 'zod';
import { Product } from '../product-queries/products.definition';
import { TEXT_COLUMNS, TIME_COLUMNS, type TextColumn, type TimeColumn } from './file-columns';
import { INVALID } from '../../platform/errors';
import { decimalNumber, price, text } from '../../platform/http/fields';
import { parseOptions, parseTaxons } from './list-cells';
import { flagCell } from '../../platform/csv/cells';

const NUL = '\u0000';

const taxons = z.preprocess((raw, context) => {
  if (typeof raw !== 'string') return undefined;
  if (!raw.includes(NUL)) return parseTaxons(raw);
  context.addIssue({ code: 'custom', message: INVALID });
  return z.NEVER;
}, z.array(z.string()).optional());

const options = z.preprocess(
  (raw, context) => {
    if (typeof raw !== 'string') return undefined;
    const parsed = raw.includes(NUL) ? null : parseOptions(raw);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message: 'must have the form color:navy|size:M' });
    return z.NEVER;
  },
  z.array(z.object({ type: z.string(), value: z.string() })).optional(),
);

const measure = decimalNumber({ min: '0' }).optional;

type PlainCells = Pick<typeof Product.Attributes.shape, TextColumn | TimeColumn>;

/** The columns of products that files contain as they are. Errors are listed in the order of the cells. */
const { description, available_on, ...otherCells } = Object.fromEntries(
  [...TIME_COLUMNS, ...TEXT_COLUMNS].map((name) => [name, Product.Attributes.shape[name]]),
) as PlainCells; // Object.fromEntries loses the types of the keys

/**
 * A row of a file of products: one variant or master, with the attributes of its product. Undefined is a missing column, null and ''
 * an empty cell.
 */
export const ProductCells = z.object({
  slug: text().optional,
  name: text().optional,
  description,
  sku: text().optional,
  barcode: text({ trim: true, max: 50, halfWidth: true }).optional,
  price: price().optional,
  available_on,
  /** Permalinks. */
  taxons,
  options,
  is_master: flagCell,
  shipping_category: text({ trim: true }).optional,
  tax_category: text().optional,
  cost_price: measure,
  weight: measure,
  height: measure,
  width: measure,
  depth: measure,
  track_inventory: flagCell,
  ...otherCells,
  /** Of the stock items of a new variant; defaults to false. */
  backorderable: flagCell,
});

export type ProductRow = Partial<z.output<typeof ProductCells>>;
