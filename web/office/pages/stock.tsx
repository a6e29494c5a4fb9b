import { useQuery } from '@tanstack/preact-query';
import { unwrap, type StockItem } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useMay } from '../access';
import { store } from '../office';
import { CellForm } from '../parts/cell-form';
import { ListPage, type ListRequest } from '../parts/list';
import { Loaded } from '../parts/loaded';
import { LocationSelect, NoLocations } from '../parts/location-select';
import { unwrapVersioned, type Versioned } from '../parts/requests';
import type { Column } from '../parts/table';
import { VariantLink } from '../parts/variant-link';
import { locationsQuery } from '../queries';
import { useLowStock } from '../stock';

interface Location {
  id: number;
  name: string;
}

/** The stock of a location, to look up and to count. */
export function Stock() {
  const query = useQuery(locationsQuery);
  return (
    <Loaded query={query}>
      {(locations) =>
        locations.length === 0 ? (
          <>
            <h1>Stock</h1>
            <NoLocations />
          </>
        ) : (
          <StockItems locations={locations} />
        )
      }
    </Loaded>
  );
}

async function listItems(
  id: number,
  readThreshold: () => Promise<number>,
  { search, page, perPage, filter, signal }: ListRequest,
) {
  const isLow = filter('low') !== null;
  const { stock_items, ...counts } = await unwrap(
    store.GET('/api/v1/stock_locations/{stock_location_id}/stock_items', {
      params: {
        path: { stock_location_id: id },
        query: {
          q: {
            ...(search !== '' && { variant_product_name_or_variant_sku_cont: search }),
            ...(isLow && { count_on_hand_lt: await readThreshold() }),
            variant_offered_true: true,
            s: isLow ? 'count_on_hand asc' : 'variant_sku asc',
          },
          page,
          per_page: perPage,
        },
      },
      signal,
    }),
  );
  return { rows: stock_items, ...counts };
}

function StockItems({ locations }: { locations: readonly Location[] }) {
  const may = useMay();
  const readThreshold = useLowStock();
  const idOf = (filter: (name: string) => string | null): number =>
    (locations.find(({ id }) => id === Number(filter('location'))) ?? locations[0])?.id ?? 0;
  const columns: readonly Column<StockItem>[] = [
    { name: 'Product', cell: ({ variant }) => <VariantLink variant={variant} /> },
    { name: 'SKU', cell: ({ variant }) => variant.sku },
    { name: 'Committed', isNumber: true, cell: ({ committed }) => committed },
    {
      name: 'On hand',
      isNumber: !may('stock:write'),
      cell: (item) => (may('stock:write') ? <CountForm item={item} /> : item.count_on_hand),
    },
  ];
  return (
    <ListPage
      title="Stock"
      path="/stock"
      columns={columns}
      keyOf={({ id }) => id}
      read={(request) => listItems(idOf(request.filter), readThreshold, request)}
      search={{ name: 'Find stock', placeholder: 'Product or SKU' }}
      actions={
        <>
          {may('stock:write') && (
            <Link href="/stock/count" class="button-quiet">
              Stocktake
            </Link>
          )}
          <Link href="/stock/movements" class="button-quiet">
            Movements
          </Link>
        </>
      }
      tools={({ filter, show }) => (
        <div class="tools-group">
          <LocationSelect
            locations={locations}
            value={idOf(filter)}
            choose={(location) => show({ location: String(location) })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={filter('low') !== null}
              onChange={(event) => show({ low: event.currentTarget.checked ? '1' : null })}
            />
            Low stock
          </label>
        </div>
      )}
    />
  );
}

function CountForm({ item: { id, stock_location_id, variant, count_on_hand } }: { item: StockItem }) {
  const params = { path: { stock_location_id, id } };
  const read = async (): Promise<Versioned<string>> => {
    const { record, version } = await unwrapVersioned(
      store.GET('/api/v1/stock_locations/{stock_location_id}/stock_items/{id}', { params }),
    );
    return { record: String(record.count_on_hand), version };
  };
  const save = async (count: string, version: string): Promise<string> => {
    const saved = await unwrap(
      store.PUT('/api/v1/stock_locations/{stock_location_id}/stock_items/{id}', {
        params,
        headers: { 'If-Match': version },
        // The count replaces the stored number; without `force` it would be added.
        body: { stock_item: { count_on_hand: Number(count), force: true } },
      }),
    );
    return String(saved.count_on_hand);
  };
  return (
    <CellForm
      key={count_on_hand}
      value={String(count_on_hand)}
      name={`Units of ${variant.sku || variant.name} on hand`}
      input={{ type: 'number', step: '1' }}
      read={read}
      save={save}
      cause="units were sold or received"
      stale={['/stock']}
    />
  );
}
