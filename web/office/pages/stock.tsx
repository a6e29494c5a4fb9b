import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { unwrap, type StockItem } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useListAddress } from '../list-address';
import { store } from '../office';
import { CellForm } from '../parts/cell-form';
import { List, SearchField } from '../parts/list';
import { Loaded } from '../parts/loaded';
import type { Column } from '../parts/table';

const COLUMNS: readonly Column[] = [
  ...[{ name: 'Product' }, { name: 'SKU' }, { name: 'Committed', isNumber: true }, { name: 'On hand' }],
];

interface Location {
  id: number;
  name: string;
}

/** The stock of a location, to look up and to count. */
export function Stock() {
  const query = useQuery({
    queryKey: ['locations'],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/stock_locations', { params: { query: { per_page: 100 } } })))
        .stock_locations,
  });
  return (
    <>
      <h1>Stock</h1>
      <Loaded query={query}>
        {(locations) =>
          locations.length === 0 ? (
            <p class="notice">There are no stock locations.</p>
          ) : (
            <StockItems locations={locations} />
          )
        }
      </Loaded>
    </>
  );
}

function StockItems({ locations }: { locations: readonly Location[] }) {
  const address = useListAddress('/stock');
  const { search, page } = address;
  const wanted = Number(address.filter('location'));
  const id = (locations.find((location) => location.id === wanted) ?? locations[0])?.id ?? 0;
  const items = useQuery({
    queryKey: ['stock', id, search, page],
    queryFn: ({ signal }) =>
      unwrap(
        store.GET('/api/v1/stock_locations/{stock_location_id}/stock_items', {
          params: {
            path: { stock_location_id: id },
            query: {
              q: {
                ...(search !== '' && { variant_product_name_or_variant_sku_cont: search }),
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
      <div class="tools">
        <select
          aria-label="Location"
          value={String(id)}
          onChange={(event) => address.show({ location: event.currentTarget.value })}
        >
          {locations.map((location) => (
            <option key={location.id} value={String(location.id)}>
              {location.name}
            </option>
          ))}
        </select>
        <SearchField address={address} name="Find stock" placeholder="Product or SKU" />
      </div>
      <List query={items} address={address} columns={COLUMNS}>
        {({ stock_items }) =>
          stock_items.map((item) => <StockRow key={item.id} item={item} reread={items.refetch} />)
        }
      </List>
    </>
  );
}

function StockRow({ item, reread }: { item: StockItem; reread: () => unknown }) {
  const { id, stock_location_id, variant, committed, count_on_hand } = item;
  const save = (count: string): Promise<unknown> =>
    unwrap(
      store.PUT('/api/v1/stock_locations/{stock_location_id}/stock_items/{id}', {
        params: { path: { stock_location_id, id } },
        // The count replaces the stored number; without `force` it would be added.
        body: { stock_item: { count_on_hand: Number(count), force: true } },
      }),
    );
  return (
    <tr>
      <th scope="row">
        <Link href={`/products/${variant.slug}`}>{variant.name}</Link>
        <span class="quiet"> {variant.options_text}</span>
      </th>
      <td>{variant.sku}</td>
      <td class="number">{committed}</td>
      <CellForm
        key={count_on_hand}
        value={String(count_on_hand)}
        name={`Units of ${variant.sku} on hand`}
        input={{ type: 'number', step: '1' }}
        save={save}
        reread={reread}
      />
    </tr>
  );
}
