import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useListAddress, type ListAddress } from '../list-address';
import { Loaded } from './loaded';
import { Table, type Column } from './table';

/** The request for a page of a list. */
export interface ListRequest {
  search: string;
  page: number;
  perPage: number;
  /** Returns a filter of the address; null if it has none. */
  filter: (name: string) => string | null;
  signal: AbortSignal;
}

/** A page of records, as the API counts them. */
export interface Page<Row> {
  rows: readonly Row[];
  pages: number;
  total_count: number;
}

/** A list by declaration. */
export interface ListSpec<Row> {
  title: string;
  /** Its address in the office; also its key among the kept replies. */
  path: string;
  read: (request: ListRequest) => Promise<Page<Row>>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string | number;
  /** The search field; left out where the API has no search. */
  search?: { name: string; placeholder: string };
  /** Filters and tabs, beside the search. */
  tools?: (address: ListAddress) => ComponentChildren;
  /** Buttons beside the title. */
  actions?: ComponentChildren;
  /** Above the rows; gets the rows of the page. */
  above?: (rows: readonly Row[]) => ComponentChildren;
  perPage?: number;
  /** Shown without results. */
  empty?: string;
}

/** A page with a list: title, search, filters, rows and pager. One request. */
export function ListPage<Row>({ title, actions, ...spec }: ListSpec<Row>) {
  return (
    <>
      <div class="title">
        <h1>{title}</h1>
        <div class="title-actions">{actions}</div>
      </div>
      <ListBody title={title} {...spec} />
    </>
  );
}

/** A list below the title of another page. */
export function ListBody<Row>(spec: Omit<ListSpec<Row>, 'actions'>) {
  const { title, path, read, columns, keyOf, search, tools, above, perPage = 25 } = spec;
  const address = useListAddress(path);
  const { page, filters, filter } = address;
  const query = useQuery({
    queryKey: [path, address.search, page, filters],
    queryFn: ({ signal }) => read({ search: address.search, page, perPage, filter, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {(search !== undefined || tools !== undefined) && (
        <div class="tools">
          {tools?.(address)}
          {search !== undefined && <SearchField address={address} {...search} />}
        </div>
      )}
      <Loaded query={query}>
        {({ rows, pages, total_count }) => (
          <>
            {above?.(rows)}
            {rows.length === 0 ? (
              <p class="notice">{spec.empty ?? 'No results.'}</p>
            ) : (
              <Table name={title} columns={columns} rows={rows} keyOf={keyOf} />
            )}
            {pages > 1 && <Pager address={address} pages={pages} count={total_count} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Pager({
  address: { page, show },
  pages,
  count,
}: {
  address: ListAddress;
  pages: number;
  count: number;
}) {
  const button = (name: string, to: number) => (
    <button
      type="button"
      class="button-quiet"
      disabled={to < 1 || to > pages}
      onClick={() => show({ page: String(to) })}
    >
      {name}
    </button>
  );
  return (
    <nav class="pager" aria-label="Pages">
      {button('Previous', page - 1)}
      <span>
        Page {page} of {pages}, {count} in all
      </span>
      {button('Next', page + 1)}
    </nav>
  );
}

interface SearchFieldProps {
  address: ListAddress;
  name: string;
  placeholder: string;
}

/** The search field of a list. */
const SearchField = ({ address: { text, setText }, name, placeholder }: SearchFieldProps) => (
  <input
    type="search"
    aria-label={name}
    placeholder={placeholder}
    maxLength={200}
    value={text}
    onInput={(event) => setText(event.currentTarget.value)}
  />
);
