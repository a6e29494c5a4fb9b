import { keepPreviousData, useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { unwrap, type StockItem } from 'store-api-client';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { store } from '../office';
import { describe } from '../parts/act';
import { Loaded } from '../parts/loaded';
import { Pager } from '../parts/pager';

const PAUSE_MS = 250;

/** The stock of a location, to look up and to count. */
export function Stock() {
  const [, go] = useLocation();
  const params = new URLSearchParams(useSearch());
  const page = Number(params.get('page')) || 1;
  const words = params.get('search') ?? '';
  const locations = useQuery({
    queryKey: ['locations'],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/stock_locations', { params: { query: { per_page: 100 } } })))
        .stock_locations,
  });
  const locationId = Number(params.get('location')) || (locations.data?.[0]?.id ?? 0);
  const [text, setText] = useState(words);
  const show = (changed: { search?: string; page?: number; location?: number }): void => {
    const next = { search: words, page: 1, location: locationId, ...changed };
    const query = new URLSearchParams({
      location: String(next.location),
      ...(next.search !== '' && { search: next.search }),
      ...(next.page > 1 && { page: String(next.page) }),
    });
    go(`/stock?${query.toString()}`, { replace: changed.search !== undefined });
  };
  useEffect(() => {
    if (text.trim() === words) return undefined;
    const timer = setTimeout(() => show({ search: text.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const items = useQuery({
    queryKey: ['stock', locationId, words, page],
    enabled: locationId > 0,
    queryFn: ({ signal }) =>
      unwrap(
        store.GET('/api/v1/stock_locations/{stock_location_id}/stock_items', {
          params: {
            path: { stock_location_id: locationId },
            query: {
              q: {
                ...(words !== '' && { variant_product_name_or_variant_sku_cont: words }),
                s: 'variant_sku asc',
              },
              ...{ page, per_page: 25 },
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Stock</h1>
      <div class="tools">
        <select
          aria-label="Location"
          value={String(locationId)}
          onChange={(event) => show({ location: Number(event.currentTarget.value) })}
        >
          {(locations.data ?? []).map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
        <input
          type="search"
          aria-label="Find stock"
          placeholder="Product or SKU"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Loaded query={items}>
        {({ stock_items, pages, total_count }) => (
          <>
            <div class="table-box">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Product</th>
                    <th scope="col">SKU</th>
                    <th scope="col" class="number">
                      Committed
                    </th>
                    <th scope="col">On hand</th>
                  </tr>
                </thead>
                <tbody>
                  {stock_items.map((item) => (
                    <StockRow key={`${item.id}-${item.count_on_hand}`} item={item} reread={items.refetch} />
                  ))}
                </tbody>
              </table>
            </div>
            {stock_items.length === 0 && <p class="notice">There are none.</p>}
            <Pager
              page={page}
              pages={pages}
              total={total_count}
              onPage={(wanted) => show({ page: wanted })}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function StockRow({ item, reread }: { item: StockItem; reread: () => unknown }) {
  const [count, setCount] = useState(String(item.count_on_hand));
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        store.PUT('/api/v1/stock_locations/{stock_location_id}/stock_items/{id}', {
          params: { path: { stock_location_id: item.stock_location_id, id: item.id } },
          // What was counted replaces the number; without `force` it would be added.
          body: { stock_item: { count_on_hand: Number(count), force: true } },
        }),
      ),
    onSuccess: reread,
  });
  const { variant } = item;
  return (
    <tr>
      <th scope="row">
        <Link href={`/products/${variant.slug}`}>{variant.name}</Link>
        <span class="quiet"> {variant.options_text}</span>
      </th>
      <td>{variant.sku}</td>
      <td class="number">{item.committed}</td>
      <td>
        <form
          class="cell-form"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          <input
            aria-label={`Units of ${variant.sku} on hand`}
            type="number"
            step="1"
            required
            value={count}
            onInput={(event) => setCount(event.currentTarget.value)}
          />
          <button class="button-quiet" disabled={save.isPending || count === String(item.count_on_hand)}>
            Save<span class="visually-hidden"> the units of {variant.sku}</span>
          </button>
        </form>
        {save.isError && <p class="field-error">{describe(save.error)}</p>}
      </td>
    </tr>
  );
}
