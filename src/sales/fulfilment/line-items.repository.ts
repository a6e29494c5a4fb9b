import type { Metadata } from '../../access/metadata';
import { expectFew } from '../order/json-rows-sql';
import { newId } from '../order/new-id';
import type { LineItemRow } from '../order/order-graph';
import { IS_ADDED, selectLineColumns } from '../order/order-graph-sql';
import type { LockedOrder, LockedOrderGraph } from '../order/order-lock';
import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';

export interface NewLine {
  variant_id: number;
  quantity: number;
  price: string;
  /** Whether an admin sets the price. Once set, the mark remains. */
  price_is_agreed?: boolean | undefined;
}

const UPSERT_LINES = {
  name: 'upsert_line_items',
  sql: `WITH stored AS (
     INSERT INTO line_items (order_id, variant_id, quantity, price, price_is_agreed)
     SELECT ?, variant_id, quantity, price, coalesce(price_is_agreed, false)
       FROM json_to_recordset(?::json)
            AS l(variant_id integer, quantity integer, price numeric, price_is_agreed boolean)
      WHERE ${expectFew('variant_id')}
     ON CONFLICT ON CONSTRAINT line_items_order_variant_unique
     DO UPDATE SET quantity = EXCLUDED.quantity, price = EXCLUDED.price,
                   price_is_agreed = line_items.price_is_agreed OR EXCLUDED.price_is_agreed
     RETURNING *)
     SELECT ${selectLineColumns('l', IS_ADDED('l.created_at'))} FROM stored l JOIN orders o ON o.id = l.order_id ORDER BY l.id`,
};

/**
 * Inserts line items, or sets the quantity and price of the line items that the order has of these variants. One
 * statement.
 * @returns the line items, by variant id
 */
export async function upsertLines(
  tx: Tx,
  order: LockedOrder,
  lines: readonly NewLine[],
): Promise<Map<number, LineItemRow>> {
  if (lines.length === 0) return new Map();
  const rows = await queryPrepared<LineItemRow>(tx, UPSERT_LINES, [order.id, serializeLines(lines)]);
  return new Map(rows.map((row) => [row.variant_id, row]));
}

/** Builds a line item that is not stored yet. */
export function buildLine(order: LockedOrderGraph, line: NewLine): LineItemRow {
  const { variant_id, quantity, price, price_is_agreed = false } = line;
  return {
    id: newId(),
    order_id: order.id,
    variant_id,
    quantity,
    price,
    promo_total: '0.00',
    adjustment_total: '0.00',
    included_tax_total: '0.00',
    additional_tax_total: '0.00',
    price_is_agreed,
    metadata: {},
    public_metadata: {},
    created_at: order.transaction_time,
    is_added: false,
  };
}

function serializeLines(lines: readonly NewLine[]): string {
  return JSON.stringify(
    lines.map(({ variant_id, quantity, price, price_is_agreed }) => {
      return { variant_id, quantity, price, price_is_agreed };
    }),
  );
}

/** The metadata to set for the line item of a variant; missing columns stay. */
export type LineMetadata = { variant_id: number } & Partial<Metadata>;

/** Sets the metadata of line items of the order. One statement. @returns the line items, by variant id */
export async function updateLineMetadata(
  tx: Tx,
  order: LockedOrder,
  lines: readonly LineMetadata[],
): Promise<Map<number, LineItemRow>> {
  const { rows } = await tx.raw<{ rows: LineItemRow[] }>(
    `WITH stored AS (
     UPDATE line_items SET metadata = coalesce(given.metadata, line_items.metadata),
            public_metadata = coalesce(given.public_metadata, line_items.public_metadata)
       FROM json_to_recordset(?::json) AS given (variant_id integer, metadata jsonb, public_metadata jsonb)
      WHERE line_items.order_id = ? AND line_items.variant_id = given.variant_id
     RETURNING line_items.*)
     SELECT ${selectLineColumns('l', IS_ADDED('l.created_at'))} FROM stored l JOIN orders o ON o.id = l.order_id ORDER BY l.id`,
    [
      JSON.stringify(
        lines.map(({ variant_id, metadata, public_metadata }) => ({ variant_id, metadata, public_metadata })),
      ),
      order.id,
    ],
  );
  return new Map(rows.map((row) => [row.variant_id, row]));
}

/** Deletes line items of the order with their adjustments and units. */
export async function deleteLines(tx: Tx, order: LockedOrder, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx('line_items').where({ order_id: order.id }).whereIn('id', ids).delete();
}
