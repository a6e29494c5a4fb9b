/**
 * Something that holds in every database this program has worked on, at every moment somebody else can see. Written
 * beside the code that keeps it, in SQL of its own: a check that called the same functions would repeat their mistakes.
 */
export interface Invariant {
  /** What a breach is reported under; does not change between releases. */
  name: string;
  /** The sentence that does not hold where rows are found. */
  rule: string;
  /** What the ids are ids of. */
  table: string;
  /**
   * Finds what breaks it, in one statement however large the store is: `id`; `order_id`, null where no order is
   * concerned; `detail`, in words for whoever has to mend it.
   */
  sql: string;
  /** Values of the named bindings in `sql`. */
  bindings?: Readonly<Record<string, string>>;
}

/**
 * The state of payment `p` that counts in its order's totals: while a gateway is being asked, the one before the
 * question.
 */
export const SETTLED_STATE = `coalesce(
  (SELECT state_before FROM payment_operations
    WHERE payment_operations.payment_id = p.id AND payment_operations.state = 'started'), p.state)`;

/** States of an order that was completed, as SQL lists them. */
export const SOLD = `('complete', 'canceled', 'awaiting_return', 'returned', 'resumed')`;

/** Those in which its goods are not the shop's any more. */
export const SOLD_AND_KEPT = `('complete', 'awaiting_return', 'returned', 'resumed')`;
