import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { isNarrowed, readFilters, SORTS, toSort, writeFilters, type Filters } from '../filters';
import { productsQuery } from '../queries';
import { useShop } from '../shop';
import { UNRESTORED } from '../unrestored';
import { FilterPanel } from './filter-panel';
import { Failure, Loading } from './loading';
import { ProductGrid } from './product-card';

const FIRST_SEEN = 4;

/** The products of a category or a search, with filters, sorts, and further pages as one scrolls. */
export function ProductList({ taxon, path }: { taxon: string | null; path: string }) {
  const shop = useShop();
  const [, go] = useLocation();
  const search = useSearch();
  const filters = readFilters(new URLSearchParams(search));
  const query = useInfiniteQuery({
    ...productsQuery(shop, taxon, search),
    placeholderData: keepPreviousData,
  });
  const { data, isError, hasNextPage, isFetchingNextPage, isPlaceholderData } = query;
  const end = useRef<HTMLAnchorElement>(null);
  const more = (): void => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData) void query.fetchNextPage();
  };
  useEffect(() => {
    if (end.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  });
  if (isError) return <Failure retry={query.refetch} />;
  if (data === undefined) return <Loading />;
  const [first] = data.pages;
  const products = data.pages.flatMap((page) => page.products);
  const total = first?.total_count ?? 0;
  const show = (changed: Filters): void => go(`${path}${writeFilters(changed)}`);
  const next = new URLSearchParams(search);
  next.set('page', String((data.pages.at(-1)?.current_page ?? 1) + 1));
  if (total === 0 && !isNarrowed(filters)) return <Nothing isSearch={filters.search !== ''} />;
  return (
    <div class="listing" aria-busy={isPlaceholderData}>
      <FilterPanel
        key={`${path} ${filters.search}`}
        facets={first?.facets}
        isOld={isPlaceholderData}
        total={total}
        filters={filters}
        onChange={show}
      />
      <div>
        <div class="listing-head">
          <p role="status">
            {total} {total === 1 ? 'product' : 'products'}
          </p>
          <label>
            <span class="sort-name">Sort by </span>
            <select
              {...UNRESTORED}
              value={filters.sort}
              onChange={(event) => show({ ...filters, sort: toSort(event.currentTarget.value) })}
            >
              {SORTS.map(([value, name]) => (
                <option key={value} value={value}>
                  {value === '' && filters.search !== '' ? 'Best match' : name}
                </option>
              ))}
            </select>
          </label>
        </div>
        {products.length === 0 && (
          <div class="notice">
            <p>No product fits all filters.</p>
            <Link
              href={`${path}${writeFilters({ ...filters, inStock: false, min: '', max: '', options: {} })}`}
            >
              Clear the filters
            </Link>
          </div>
        )}
        <ProductGrid products={products} firsts={FIRST_SEEN} options={filters.options} />
        {hasNextPage && (
          <a
            ref={end}
            class="button button-quiet more"
            href={`${path}?${next.toString()}`}
            rel="next"
            onClick={(event) => {
              event.preventDefault();
              more();
            }}
          >
            {isFetchingNextPage ? 'Loading…' : 'Show more'}
          </a>
        )}
      </div>
    </div>
  );
}

/** A list without products: there is nothing to filter or to sort. */
const Nothing = ({ isSearch }: { isSearch: boolean }) => (
  <div class="notice">
    <p role="status">
      {isSearch
        ? 'Nothing was found. Check the spelling, or try another word.'
        : 'There are no products here yet.'}
    </p>
    <Link href="/">To the shop</Link>
  </div>
);
