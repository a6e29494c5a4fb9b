/** A parcel and its tracking, as one line says. */
export interface TrackedParcel {
  number: string;
  tracking: string | null;
}

const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/[\t,;\s]+/));

/** Reads pasted or scanned lines: the number of a parcel, then its tracking, apart by a tab, comma or spaces. */
export const readTrackings = (text: string): TrackedParcel[] =>
  linesOf(text).map(([number = '', ...rest]) => ({ number, tracking: rest.join(' ') || null }));

/**
 * Reads a count: lines of a SKU and its number of units. A line without a number, such as a scanner sends, counts one
 * unit, and several lines of a SKU add up.
 * @returns the units by SKU, and the lines that are neither
 */
export function readCount(text: string): { units: Map<string, number>; unread: string[] } {
  const units = new Map<string, number>();
  const unread: string[] = [];
  for (const [sku = '', count = '1', ...rest] of linesOf(text)) {
    if (rest.length > 0 || !/^\d{1,7}$/.test(count)) unread.push([sku, count, ...rest].join(' '));
    else units.set(sku, (units.get(sku) ?? 0) + Number(count));
  }
  return { units, unread };
}
