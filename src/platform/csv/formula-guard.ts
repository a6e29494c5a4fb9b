/**
 * What makes a spreadsheet read a cell as a formula, and cells that already look guarded. Spreadsheets in Japanese read the full-width
 * characters as the others.
 */
const GUARDED = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Adds a leading `'` to text that a spreadsheet would run as a formula. Text that already begins with `'` and such a
 * character gets another one, so that `removeGuard` always returns the original. Not for numbers.
 */
export function addGuard(text: string): string {
  return GUARDED.test(text) ? `'${text}` : text;
}

/** Removes the `'` that `addGuard` adds; other text is returned unchanged. */
export function removeGuard(cell: string): string {
  return cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell;
}
