import { unwrap, type Product } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { ListPage, type ListRequest } from '../parts/list';
import type { Column } from '../parts/table';
import { NewProduct } from '../product/new-product';
import { dateOf, isFuture } from '../words';

const FIELDS =
  'id,name,slug,price_range,total_on_hand,in_stock,has_variants,available_on,master.sku,master.images.small_url';

const COLUMNS: readonly Column<Product>[] = [
  {
    name: 'Product',
    cell: ({ name, slug, master }) => (
      <Link href={`/products/${slug}`} class="with-picture">
        {master.images[0] === undefined ? (
          <span class="no-picture" />
        ) : (
          <img src={master.images[0].small_url} alt="" width="40" height="40" loading="lazy" />
        )}
        {name}
      </Link>
    ),
  },
  { name: 'SKU', cell: ({ master }) => master.sku },
  {
    name: 'Price',
    isNumber: true,
    cell: ({ price_range: { display_min, display_max } }) =>
      display_min === display_max ? display_min : `${display_min ?? ''} – ${display_max ?? ''}`,
  },
  { name: 'On hand', isNumber: true, cell: ({ total_on_hand }) => total_on_hand ?? '∞' },
  {
    name: 'Sale',
    cell: ({ available_on, in_stock, total_on_hand }) =>
      available_on === null
        ? 'Not on sale'
        : isFuture(available_on)
          ? `On sale from ${dateOf(available_on)}`
          : !in_stock
            ? 'Sold out'
            : total_on_hand === 0
              ? 'On sale, on backorder'
              : 'On sale',
  },
];

async function listProducts({ search, page, perPage, signal }: ListRequest) {
  const { products, ...counts } = await unwrap(
    store.GET('/api/v1/products', {
      params: { query: { ...(search !== '' && { search }), fields: FIELDS, page, per_page: perPage } },
      signal,
    }),
  );
  return { rows: products, ...counts };
}

/** The products, with a search in all their texts. */
export const Products = () => (
  <ListPage
    title="Products"
    path="/products"
    columns={COLUMNS}
    keyOf={({ id }) => id}
    read={listProducts}
    search={{ name: 'Find products', placeholder: 'Name, SKU, description' }}
    actions={<NewProduct />}
  />
);
