import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { store } from '../office';
import { Loaded } from '../parts/loaded';
import { Pager } from '../parts/pager';

const PAUSE_MS = 250;
const FIELDS =
  'id,name,slug,price_range,total_on_hand,in_stock,has_variants,available_on,master.sku,master.images.small_url';

/** The products, found by anything that is written about them. */
export function Products() {
  const [, go] = useLocation();
  const params = new URLSearchParams(useSearch());
  const search = params.get('search') ?? '';
  const page = Number(params.get('page')) || 1;
  const [text, setText] = useState(search);
  const show = (words: string, wanted: number): void => {
    const query = new URLSearchParams({
      ...(words !== '' && { search: words }),
      ...(wanted > 1 && { page: String(wanted) }),
    });
    go(`/products?${query.toString()}`, { replace: words !== search });
  };
  useEffect(() => {
    if (text.trim() === search) return undefined;
    const timer = setTimeout(() => show(text.trim(), 1), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const query = useQuery({
    queryKey: ['products', search, page],
    queryFn: ({ signal }) =>
      unwrap(
        store.GET('/api/v1/products', {
          params: { query: { ...(search !== '' && { search }), fields: FIELDS, page, per_page: 25 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Products</h1>
      <div class="tools">
        <input
          type="search"
          aria-label="Find products"
          placeholder="Name, SKU, description"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Loaded query={query}>
        {({ products, pages, total_count }) => (
          <>
            <div class="table-box">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Product</th>
                    <th scope="col">SKU</th>
                    <th scope="col" class="number">
                      Price
                    </th>
                    <th scope="col" class="number">
                      On hand
                    </th>
                    <th scope="col">Sale</th>
                  </tr>
                </thead>
                <tbody>
                  {products.map(
                    ({ id, name, slug, price_range, total_on_hand, in_stock, available_on, master }) => (
                      <tr key={id}>
                        <th scope="row">
                          <Link href={`/products/${slug}`} class="with-picture">
                            {master.images[0] === undefined ? (
                              <span class="no-picture" />
                            ) : (
                              <img
                                src={master.images[0].small_url}
                                alt=""
                                width="40"
                                height="40"
                                loading="lazy"
                              />
                            )}
                            {name}
                          </Link>
                        </th>
                        <td>{master.sku}</td>
                        <td class="number">
                          {price_range.display_min}
                          {price_range.display_max !== price_range.display_min &&
                            ` – ${price_range.display_max}`}
                        </td>
                        <td class="number">{total_on_hand ?? '∞'}</td>
                        <td>{available_on === null ? 'Not on sale' : in_stock ? 'On sale' : 'Sold out'}</td>
                      </tr>
                    ),
                  )}
                </tbody>
              </table>
            </div>
            {products.length === 0 && <p class="notice">There are none.</p>}
            <Pager page={page} pages={pages} total={total_count} onPage={(wanted) => show(search, wanted)} />
          </>
        )}
      </Loaded>
    </>
  );
}
