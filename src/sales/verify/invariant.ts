import type { Db } from '../../platform/database/knex';

/**
 * A rule that committed data must always meet. It is written in its own SQL: a check that called the functions of the
 * program would repeat their mistakes.
 */
export interface Invariant {
  /** The name in reports. It does not change between releases. */
  name: string;
  /** The rule, as a sentence without a full stop. */
  rule: string;
  /** The table of the violating rows. */
  table: string;
  /**
   * Selects the violating rows, in one statement: `id`; `order_id`, null if the row belongs to no order; `detail`, a
   * description for the operator. A function builds the statement from the system catalogs.
   */
  sql: string | ((db: Db) => Promise<string>);
  /** Whether it concerns the schema and the references of all tables, so a check of some orders leaves it out. Defaults to false. */
  isOfDatabase?: true;
  /** Values of the named bindings in `sql`. */
  bindings?: Readonly<Record<string, string>>;
}

/**
 * The state of payment `p` that counts in the totals of its order: during a gateway call, the state before the call.
 */
export const COUNTED_STATE = `coalesce(
  (SELECT state_before FROM payment_operations
    WHERE payment_operations.payment_id = p.id AND payment_operations.state = 'started'), p.state)`;

/** The states of orders that have been completed, as an SQL list. */
export const SOLD = `('complete', 'canceled', 'awaiting_return', 'returned', 'resumed')`;

/** The states of `SOLD` in which the order holds its units, as an SQL list. */
export const SOLD_AND_KEPT = `('complete', 'awaiting_return', 'returned', 'resumed')`;

/** A condition: order `o` is being completed. Its stock is taken, and a gateway call for its payment is running. */
export const BEING_COMPLETED = `EXISTS (
  SELECT FROM payments p JOIN payment_operations op ON op.payment_id = p.id
   WHERE p.order_id = o.id AND op.state = 'started' AND op.purpose = 'complete_order')`;

/** Builds the SQL of the number of decimal digits of a currency; needs `CURRENCY_BINDINGS`. */
export const selectRoundingDigits = (currency: string): string =>
  `(CASE WHEN ${currency} = ANY (string_to_array(:whole_currencies, ',')) THEN 0 ELSE 2 END)`;

/** The currencies without decimal digits, for `selectRoundingDigits`. */
export const CURRENCY_BINDINGS = {
  whole_currencies: Intl.supportedValuesOf('currency')
    .filter((currency) => {
      const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
      return format.resolvedOptions().maximumFractionDigits === 0;
    })
    .join(','),
};

/** Builds the SQL of the last id that the sequence of a table has returned; 0 if there is none. */
export const selectLastId = (table: string): string =>
  `coalesce(pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass), 0)`;
