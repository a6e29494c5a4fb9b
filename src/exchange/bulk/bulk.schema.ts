import { z } from 'zod';
import { createSchema } from 'zod-openapi';
import type { ParsedRow } from '../../platform/batch';
import { BLANK, INVALID } from '../../platform/errors';
import { boolean } from '../../platform/http/fields';
import { readingAs } from '../../platform/http/ignored-parameters';
import { tidySchema } from '../../platform/openapi/tidy-schema';
import { toList, toRecord } from '../../platform/parameters';
import { parseRow } from '../rows/row-fields';
import { PriceRow } from '../../catalog/variants/price-rows.schema';
import { ShipmentRow } from '../../sales/shipments/dispatch-rows.schema';
import { StockRow } from '../../inventory/stock-items/stock-rows.schema';
import { namedObject } from '../../platform/http/named-object';

const MAX_BULK_ROWS = 1000;

/** A list of rows, each of which is parsed or has errors of its own. */
function rowsOf<S extends z.ZodObject>(schema: S): z.ZodType<ParsedRow<z.output<S>>[]> {
  const items = createSchema(schema, { io: 'input', opts: { override: tidySchema } }).schema;
  const read = z.preprocess((raw, context) => {
    const rows = raw === undefined ? null : toList(raw);
    if (rows !== null && rows.length > 0 && rows.length <= MAX_BULK_ROWS)
      return rows.map((row) => parseRow(schema, toRecord(row)));
    const isMissing = raw === undefined || rows?.length === 0;
    const message = rows === null ? INVALID : `is too long (maximum is ${MAX_BULK_ROWS} rows)`;
    context.addIssue({ code: 'custom', message: isMissing ? BLANK : message });
    return z.NEVER;
  }, z.unknown());
  // The preprocessing returns parsed rows; the inner schema only lets them pass.
  const rows = read.meta({
    override: { type: 'array', minItems: 1, maxItems: MAX_BULK_ROWS, items },
    description: `1 to ${MAX_BULK_ROWS} rows.`,
  }) as z.ZodType<ParsedRow<z.output<S>>[]>;
  return readingAs(rows, z.array(schema));
}

const partial = boolean().optional.describe(
  'Writes the valid rows even if others are wrong. Defaults to false: all rows or none.',
);

export const BulkStock = z.object({ rows: rowsOf(StockRow), partial });
export const BulkPrices = z.object({ rows: rowsOf(PriceRow), partial });
export const BulkShipments = z.object({ rows: rowsOf(ShipmentRow), partial });

export type BulkStock = z.output<typeof BulkStock>;
export type BulkPrices = z.output<typeof BulkPrices>;
export type BulkShipments = z.output<typeof BulkShipments>;

export const BulkResultJson = namedObject('BulkResult', {
  results: z
    .array(
      z.object({
        index: z.int().describe('The position of the row in the request, starting at 0.'),
        ok: z.boolean().describe('Whether the row is valid.'),
        id: z
          .int()
          .optional()
          .describe(
            'The stock item of a stock row, the variant of a price row, the shipment of a row of shipments. Missing if nothing was written.',
          ),
        errors: z.record(z.string(), z.array(z.string())).optional().describe('By field.'),
      }),
    )
    .describe('One result for each row, in their order.'),
  changed: z.int().describe('The number of rows that changed something.'),
  unchanged: z.int().describe('The number of valid rows that changed nothing.'),
  failed: z.int().describe('The number of rows with errors.'),
});

export type BulkResultJson = z.output<typeof BulkResultJson>;
