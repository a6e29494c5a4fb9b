declare const isLocked: unique symbol;

/**
 * A value read under its lock in the running transaction. No other transaction can change it before this one ends.
 * Functions that need a lock take this type.
 */
export type Locked<Row> = Row & { readonly [isLocked]: true };

/** A locked record of which only the id matters. */
export type LockedId = Locked<{ id: number }>;

/**
 * Marks a value as locked. For the functions that lock only: the row was read with its lock, belongs to a locked row,
 * or was inserted by the running transaction, so that no other can see it. Lint lists the files that may call this.
 */
export function markAsLocked<Row extends object>(row: Row): Locked<Row> {
  return row as Locked<Row>; // the brand exists in types only
}
