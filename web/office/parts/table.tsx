import type { ComponentChildren } from 'preact';

/** The heading of a column. */
export interface Column {
  name: string;
  /** Whether its values are numbers, aligned at their ends. */
  isNumber?: boolean;
}

/** A table that scrolls in its own box; `children` are its rows. */
export const Table = ({ columns, children }: { columns: readonly Column[]; children: ComponentChildren }) => (
  <div class="table-box">
    <table>
      <thead>
        <tr>
          {columns.map(({ name, isNumber = false }) => (
            <th key={name} scope="col" {...(isNumber && { class: 'number' })}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
