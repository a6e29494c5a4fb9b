type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields of `record` that are not undefined: what a change really names. Null stays, as it clears a field. */
export function omitUndefined<T extends object>(record: T): Defined<T> {
  // Object.entries forgets the types of the fields it keeps; dropping undefined ones changes none of them.
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
