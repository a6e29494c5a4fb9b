/** A column of a table; its width is in points. */
export interface Column {
  title: string;
  width: number;
  align: 'left' | 'right';
}

/** A cell: lines of text; those after the first are notes in grey. */
export type Cell = readonly string[];

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
