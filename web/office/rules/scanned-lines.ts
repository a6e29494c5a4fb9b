/** A parcel and its tracking, as one line says. */
export interface TrackedParcel {
  number: string;
  tracking: string | null;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Reads pasted or scanned lines: the number of a parcel, then its tracking, apart by a tab, comma or spaces. */
export const readTrackings = (text: string): TrackedParcel[] =>
  linesOf(text)
    .map((line) => line.split(/[\t,;\s]+/))
    .map(([number = '', ...rest]) => ({ number, tracking: rest.join(' ') || null }));

/** A SKU and what stands after a tab, comma or semicolon, or else the number after its last space. */
const COUNTED = /^(.+?)\s*(?:[\t,;]\s*([^\t,;]*)|\s([-+]?\d[\d.]*))$/;

/**
 * Reads a count: lines of a SKU, which may contain spaces, and its number of units. A line without a number, such as a scanner
 * sends, counts one unit, and several lines of a SKU add up.
 * @returns the units by SKU, and the lines that are neither
 */
export function readCount(text: string): { units: Map<string, number>; unread: string[] } {
  const units = new Map<string, number>();
  const unread: string[] = [];
  for (const line of linesOf(text)) {
    const [, sku = line, separated, last] = COUNTED.exec(line) ?? [];
    const count = separated ?? last ?? '1';
    if (/^\d{1,7}$/.test(count)) units.set(sku, (units.get(sku) ?? 0) + Number(count));
    else unread.push(line);
  }
  return { units, unread };
}
