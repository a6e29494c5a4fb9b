let counted = 0;

/** Returns an id for a new record, until the order is saved. */
export function newId(): number {
  return (counted -= 1);
}
