import type { ComponentChildren } from 'preact';
import type { ListAddress } from '../list-address';
import { Loaded, type LoadedProps } from './loaded';
import { Table, type Column } from './table';

/** The search field of a list. */
export const SearchField = ({
  address: { text, setText },
  name,
  placeholder,
}: {
  address: ListAddress;
  name: string;
  placeholder: string;
}) => (
  <input
    type="search"
    aria-label={name}
    placeholder={placeholder}
    maxLength={200}
    value={text}
    onInput={(event) => setText(event.currentTarget.value)}
  />
);

interface ListProps<T> extends LoadedProps<T> {
  address: ListAddress;
  columns: readonly Column[];
}

/** A page of a list as a table, with its pager; `children` makes the rows. */
export function List<T extends { count: number; pages: number; total_count: number }>({
  query,
  address: { page, show },
  columns,
  children,
}: ListProps<T>) {
  return (
    <Loaded query={query}>
      {(data) => (
        <>
          <Table columns={columns}>{children(data)}</Table>
          {data.count === 0 && <p class="notice">No results.</p>}
          <nav class="pager" aria-label="Pages">
            <PageButton
              name="Previous"
              disabled={page <= 1}
              onClick={() => show({ page: String(page - 1) })}
            />
            <span>
              Page {page} of {Math.max(1, data.pages)}, {data.total_count} in all
            </span>
            <PageButton
              name="Next"
              disabled={page >= data.pages}
              onClick={() => show({ page: String(page + 1) })}
            />
          </nav>
        </>
      )}
    </Loaded>
  );
}

const PageButton = ({
  name,
  disabled,
  onClick,
}: {
  name: ComponentChildren;
  disabled: boolean;
  onClick: () => void;
}) => (
  <button type="button" class="button-quiet" disabled={disabled} onClick={onClick}>
    {name}
  </button>
);
