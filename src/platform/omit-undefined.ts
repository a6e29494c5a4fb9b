type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the fields of `record` that are not undefined. Null is kept, because it clears a field. */
export function omitUndefined<T extends object>(record: T): Defined<T> {
  // Object.entries loses the types of the fields; omitting undefined ones does not change the others.
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
