import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useListAddress } from '../list-address';
import { store } from '../office';
import { List, SearchField } from '../parts/list';
import type { Column } from '../parts/table';

const FIELDS =
  'id,name,slug,price_range,total_on_hand,in_stock,has_variants,available_on,master.sku,master.images.small_url';

const COLUMNS: readonly Column[] = [
  ...[{ name: 'Product' }, { name: 'SKU' }, { name: 'Price', isNumber: true }],
  ...[{ name: 'On hand', isNumber: true }, { name: 'Sale' }],
];

/** The products, with a search in all their texts. */
export function Products() {
  const address = useListAddress('/products');
  const { search, page } = address;
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
        <SearchField address={address} name="Find products" placeholder="Name, SKU, description" />
      </div>
      <List query={query} address={address} columns={COLUMNS}>
        {({ products }) =>
          products.map(({ id, name, slug, price_range, total_on_hand, in_stock, available_on, master }) => (
            <tr key={id}>
              <th scope="row">
                <Link href={`/products/${slug}`} class="with-picture">
                  {master.images[0] === undefined ? (
                    <span class="no-picture" />
                  ) : (
                    <img src={master.images[0].small_url} alt="" width="40" height="40" loading="lazy" />
                  )}
                  {name}
                </Link>
              </th>
              <td>{master.sku}</td>
              <td class="number">
                {price_range.display_min}
                {price_range.display_max !== price_range.display_min && ` – ${price_range.display_max}`}
              </td>
              <td class="number">{total_on_hand ?? '∞'}</td>
              <td>{available_on === null ? 'Not on sale' : in_stock ? 'On sale' : 'Sold out'}</td>
            </tr>
          ))
        }
      </List>
    </>
  );
}
