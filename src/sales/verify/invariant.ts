import type { Db } from '../../platform/database/knex';

/**
 * Something that holds in every database this program has worked on, at every moment somebody else can see. Written
 * beside the code that keeps it, in SQL of its own: a check that called the same functions would repeat their mistakes.
 */
export interface Invariant {
  /** What a violation is reported under; does not change between releases. */
  name: string;
  /** The sentence that does not hold where rows are found. */
  rule: string;
  /** What the ids are ids of. */
  table: string;
  /**
   * Finds what breaks it, in one statement however large the store is: `id`; `order_id`, null where no order is
   * concerned; `detail`, in words for whoever has to mend it. A function builds it from the database's own catalogs.
   */
  sql: string | ((db: Db) => Promise<string>);
  /** Values of the named bindings in `sql`. */
  bindings?: Readonly<Record<string, string>>;
}

/**
 * The state of payment `p` that counts in its order's totals: while a gateway is being asked, the one before the
 * question.
 */
export const COUNTED_STATE = `coalesce(
  (SELECT state_before FROM payment_operations
    WHERE payment_operations.payment_id = p.id AND payment_operations.state = 'started'), p.state)`;

/** States of an order that was completed, as SQL lists them. */
export const SOLD = `('complete', 'canceled', 'awaiting_return', 'returned', 'resumed')`;

/** Those in which its goods are not the shop's any more. */
export const SOLD_AND_KEPT = `('complete', 'awaiting_return', 'returned', 'resumed')`;

/** Whether an order `o` that is not complete yet has taken its goods already: a gateway is being asked to pay for them. */
export const BEING_COMPLETED = `EXISTS (
  SELECT FROM payments p JOIN payment_operations op ON op.payment_id = p.id
   WHERE p.order_id = o.id AND op.state = 'started' AND op.purpose = 'complete_order')`;

/** The digits after the point that amounts of a currency are rounded to; needs `CURRENCY_BINDINGS`. */
export const selectRoundingDigits = (currency: string): string =>
  `(CASE WHEN ${currency} = ANY (string_to_array(:whole_currencies, ',')) THEN 0 ELSE 2 END)`;

/** The currencies that have no cents, for `unitOf`. */
export const CURRENCY_BINDINGS = {
  whole_currencies: Intl.supportedValuesOf('currency')
    .filter((currency) => {
      const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
      return format.resolvedOptions().maximumFractionDigits === 0;
    })
    .join(','),
};

/** The largest id that was ever given out in a table; 0 before the first. */
export const selectLastId = (table: string): string =>
  `coalesce(pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass), 0)`;
