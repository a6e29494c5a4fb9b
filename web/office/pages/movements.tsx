import { useQuery } from '@tanstack/preact-query';
import { unwrap, type StockMovement } from 'store-api-client';
import { store } from '../office';
import { ListPage } from '../parts/list';
import { Loaded } from '../parts/loaded';
import type { Column } from '../parts/table';
import { LocationSelect, NoLocations } from '../parts/location-select';
import { VariantLink } from '../parts/variant-link';
import { locationsQuery } from '../queries';
import { dateOf } from '../words';

const COLUMNS: readonly Column<StockMovement>[] = [
  { name: 'Item', cell: ({ stock_item: { variant } }) => <VariantLink variant={variant} /> },
  { name: 'SKU', cell: ({ stock_item }) => stock_item.variant.sku },
  { name: 'When', isShort: true, cell: ({ created_at }) => dateOf(created_at) },
  { name: 'Why', cell: ({ action }) => action },
  {
    name: 'Units',
    isNumber: true,
    cell: ({ quantity }) => (quantity > 0 ? `+${quantity}` : quantity),
  },
  { name: 'On hand now', isNumber: true, cell: ({ stock_item }) => stock_item.count_on_hand },
];

/** What came into a location and what left it, the latest first. */
export function Movements() {
  const query = useQuery(locationsQuery);
  return (
    <Loaded query={query}>
      {(locations) => {
        if (locations.length === 0)
          return (
            <>
              <h1>Stock movements</h1>
              <NoLocations />
            </>
          );
        const idOf = (chosen: string | null): number =>
          (locations.find(({ id }) => id === Number(chosen)) ?? locations[0])?.id ?? 0;
        return (
          <ListPage
            title="Stock movements"
            path="/stock/movements"
            columns={COLUMNS}
            keyOf={({ id }) => id}
            tools={({ filter, show }) => (
              <LocationSelect
                locations={locations}
                value={idOf(filter('location'))}
                choose={(location) => show({ location: String(location) })}
              />
            )}
            read={async ({ page, perPage, filter, signal }) => {
              const { stock_movements, ...counts } = await unwrap(
                store.GET('/api/v1/stock_locations/{stock_location_id}/stock_movements', {
                  params: {
                    path: { stock_location_id: idOf(filter('location')) },
                    query: { q: { s: 'id desc' }, page, per_page: perPage },
                  },
                  signal,
                }),
              );
              return { rows: stock_movements, ...counts };
            }}
          />
        );
      }}
    </Loaded>
  );
}
