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

/** The number of decimal digits of the currency of order `o`, as SQL; needs `CURRENCY_BINDINGS`. */
export const DIGITS = `(CASE WHEN o.currency = ANY (string_to_array(:whole_currencies, ',')) THEN 0 ELSE 2 END)`;

/** The currencies without decimal digits, for `DIGITS`. */
export const CURRENCY_BINDINGS = {
  whole_currencies: Intl.supportedValuesOf('currency')
    .filter((currency) => {
      const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
      return format.resolvedOptions().maximumFractionDigits === 0;
    })
    .join(','),
};
