/** A column of a table; its width is in points. */
export interface Column {
  title: string;
  width: number;
  align: 'left' | 'right';
}

/** A cell: lines of text; those after the first are notes in grey. */
export type Cell = readonly string[];

/** Returns the width of a column in which each text is on one line, within limits. `measure` returns the width of a cell. */
export function fitColumn(
  texts: readonly string[],
  { smallest, largest = Infinity }: { smallest: number; largest?: number },
  measure: (text: string) => number,
): number {
  return Math.min(Math.max(smallest, ...texts.map(measure)), largest);
}

/** Lists the columns of a table that begins at `left`, each with the edge that its text is aligned to. */
export function placeColumns(columns: readonly Column[], left: number): { column: Column; x: number }[] {
  let start = left;
  return columns.map((column) => {
    const end = start + column.width;
    const x = column.align === 'right' ? end : start;
    start = end;
    return { column, x };
  });
}
