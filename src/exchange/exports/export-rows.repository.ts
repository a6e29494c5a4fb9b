import { formatOptions, type NamedOption } from '../../catalog/products/list-cells';
import type { CellValue } from '../../platform/csv/write-csv';
import type { Db } from '../../platform/database/knex';

/** A row of an export by column. */
export type ExportRow = Readonly<Record<string, CellValue>>;

/** The names of option types and values of a variant, by the position of the type. */
const OPTIONS = `coalesce((
  SELECT json_agg(json_build_object('type', option_types.name, 'value', option_values.name)
                  ORDER BY option_types.position, option_types.id)
    FROM variant_option_values
    JOIN option_values ON option_values.id = variant_option_values.option_value_id
    JOIN option_types ON option_types.id = option_values.option_type_id
   WHERE variant_option_values.variant_id = variants.id), '[]') AS options`;

/** The statements whose rows are rows of a file, by the name of the export. They bind the ids of the records. */
const ROWS = {
  stock: `SELECT variants.sku, stock_locations.name AS stock_location, stock_items.count_on_hand,
              stock_items.backorderable, products.name, ${OPTIONS}, stock_items.variant_id, stock_items.stock_location_id
         FROM stock_items
         JOIN variants ON variants.id = stock_items.variant_id AND variants.deleted_at IS NULL
         JOIN products ON products.id = variants.product_id
         JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
                             AND stock_locations.deleted_at IS NULL
        WHERE stock_items.id = ANY(?) ORDER BY stock_items.id`,
  prices: `SELECT variants.sku, prices.amount AS price, variants.cost_price, prices.currency, products.name, ${OPTIONS},
              prices.variant_id
         FROM prices
         JOIN variants ON variants.id = prices.variant_id AND variants.deleted_at IS NULL
         JOIN products ON products.id = variants.product_id
        WHERE prices.id = ANY(?) ORDER BY prices.id`,
  orders: 'SELECT * FROM orders WHERE id = ANY(?) ORDER BY id',
  line_items: `SELECT orders.number AS order, variants.sku, products.name, line_items.quantity, line_items.price,
              orders.currency, line_items.adjustment_total, line_items.promo_total, line_items.included_tax_total,
              line_items.additional_tax_total, orders.completed_at AS order_completed_at, ${OPTIONS},
              line_items.variant_id, line_items.id
         FROM line_items
         JOIN orders ON orders.id = line_items.order_id
         JOIN variants ON variants.id = line_items.variant_id
         JOIN products ON products.id = variants.product_id
        WHERE line_items.id = ANY(?) ORDER BY line_items.id`,
  movements: `SELECT stock_movements.id, variants.sku, stock_locations.name AS stock_location, stock_movements.quantity,
              stock_movements.action, stock_movements.counted, stock_movements.originator_type,
              stock_movements.originator_id, users.email AS user, stock_movements.created_at, products.name, ${OPTIONS},
              stock_movements.stock_item_id
         FROM stock_movements
         JOIN stock_items ON stock_items.id = stock_movements.stock_item_id
         JOIN variants ON variants.id = stock_items.variant_id
         JOIN products ON products.id = variants.product_id
         JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
         LEFT JOIN users ON users.id = stock_movements.user_id
        WHERE stock_movements.id = ANY(?) ORDER BY stock_movements.id`,
  payments: `SELECT payments.number, orders.number AS order, payments.amount, orders.currency, payments.state,
              payment_methods.name AS payment_method, payments.response_code,
              coalesce((SELECT sum(amount) FROM refunds WHERE refunds.payment_id = payments.id), 0) AS refunded,
              payments.created_at, payments.id
         FROM payments
         JOIN orders ON orders.id = payments.order_id
         JOIN payment_methods ON payment_methods.id = payments.payment_method_id
        WHERE payments.id = ANY(?) ORDER BY payments.id`,
};

/** Builds the function that loads the rows of the records of an export, by id. One statement. */
export function loadRowsOf(
  name: keyof typeof ROWS,
): (db: Db, ids: readonly number[]) => Promise<ExportRow[]> {
  return async (db, ids) => {
    const { rows } = await db.raw<{ rows: (ExportRow & { options?: NamedOption[] })[] }>(ROWS[name], [
      [...ids],
    ]);
    return rows.map(({ options, ...row }) =>
      options === undefined ? row : { ...row, options: formatOptions(options) },
    );
  };
}
