import type { ComponentChildren } from 'preact';
import { useMay, type Scope } from '../access';

/** A column of a table: its heading, and what it shows of a row. */
export interface Column<Row> {
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** Whether its values are numbers, aligned at their ends. */
  isNumber?: boolean;
  /** Whether its values stay on one line where there is room, and their words are never broken. */
  isShort?: boolean;
  /** The scope that all of its buttons need; staff without it does not see the column. */
  scope?: Scope | undefined;
}

interface TableProps<Row> {
  /** What it lists, for screen readers. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}

const classOf = ({ isNumber = false, isShort = false }: { isNumber?: boolean; isShort?: boolean }): string =>
  isNumber ? 'number' : isShort ? 'short' : '';

/**
 * A table; the first column names its rows. With little room each row becomes a card, with the headings beside the
 * values. The roles stay then, which browsers take from tables that are not displayed as such.
 */
export function Table<Row>({ name, columns: all, rows, keyOf }: TableProps<Row>) {
  const may = useMay();
  const columns = all.filter(({ scope }) => scope === undefined || may(scope));
  return (
    <div class="table">
      <table role="table" class="rows" aria-label={name}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.name}
                role="columnheader"
                scope="col"
                data-name={column.name}
                class={classOf(column)}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.name} role="rowheader" scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} role="cell" data-name={column.name} class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
