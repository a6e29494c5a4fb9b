import { useMutation, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type StockItem } from 'store-api-client';
import { Link } from 'wouter-preact';
import { describeError } from '../../shared/messages';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { LongField } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { LocationSelect } from '../parts/location-select';
import { Table, type Column } from '../parts/table';
import { locationsQuery } from '../queries';
import { readCount } from '../rules/scanned-lines';
import { countOf } from '../words';

const AT_ONCE = 500;

interface Counted {
  sku: string;
  name: string;
  /** The recorded stock: the free units and the units of unshipped orders. Null without a stock item. */
  expected: number | null;
  counted: number;
}

const COLUMNS: readonly Column<Counted>[] = [
  { name: 'SKU', cell: ({ sku }) => sku },
  { name: 'Item', cell: ({ name }) => name },
  { name: 'Expected', isNumber: true, cell: ({ expected }) => expected ?? 'none here' },
  { name: 'Counted', isNumber: true, cell: ({ counted }) => counted },
  {
    name: 'Difference',
    isNumber: true,
    cell: ({ expected, counted }) => {
      const difference = counted - (expected ?? 0);
      return difference === 0 ? '0' : <strong>{difference > 0 ? `+${difference}` : difference}</strong>;
    },
  },
];

/** A stocktake: scanned or typed units are compared with the recorded stock, and then saved. */
export function Count() {
  const query = useQuery(locationsQuery);
  return (
    <>
      <p class="crumb">
        <Link href="/stock">Stock</Link>
      </p>
      <h1>Stocktake</h1>
      <Loaded query={query}>{(locations) => <CountForm locations={locations} />}</Loaded>
    </>
  );
}

async function findItems(location: number, skus: readonly string[]): Promise<readonly StockItem[]> {
  const { stock_items } = await unwrap(
    store.GET('/api/v1/stock_locations/{stock_location_id}/stock_items', {
      params: {
        path: { stock_location_id: location },
        query: { q: { variant_sku_in: [...skus] }, per_page: AT_ONCE },
      },
    }),
  );
  return stock_items;
}

function compare(items: readonly StockItem[], units: ReadonlyMap<string, number>): Counted[] {
  const bySku = new Map(items.map((item) => [item.variant.sku, item]));
  return [...units].map(([sku, counted]) => {
    const item = bySku.get(sku);
    return {
      sku,
      counted,
      name: item === undefined ? '' : `${item.variant.name} ${item.variant.options_text}`,
      expected: item === undefined ? null : item.count_on_hand + item.committed,
    };
  });
}

function CountForm({ locations }: { locations: readonly { id: number; name: string }[] }) {
  const [location, setLocation] = useState(locations[0]?.id ?? 0);
  const [text, setText] = useState('');
  const { units, unread } = readCount(text);
  const comparison = useMutation({
    mutationFn: async () => compare(await findItems(location, [...units.keys()]), units),
  });
  const change = (set: () => void): void => {
    set();
    // Another count needs another comparison.
    comparison.reset();
  };
  const place = locations.find(({ id }) => id === location)?.name ?? '';
  const rows = comparison.data ?? [];
  return (
    <>
      <form
        class="box fields"
        onSubmit={(event) => {
          event.preventDefault();
          comparison.mutate();
        }}
      >
        <LocationSelect
          locations={locations}
          value={location}
          choose={(id) => change(() => setLocation(id))}
        />
        <LongField
          label="Counted units"
          hint="One line for each SKU with its number, or one for each scanned unit. Count all units at the location, also packed ones."
          rows={8}
          value={text}
          onText={(typed) => change(() => setText(typed))}
        />
        {unread.length > 0 && <p class="field-error">Not read: {unread.join('; ')}</p>}
        {units.size > AT_ONCE && <p class="field-error">Count at most {AT_ONCE} SKUs at a time.</p>}
        {comparison.isError && (
          <p class="notice notice-bad" role="alert">
            {describeError(comparison.error)}
          </p>
        )}
        <div>
          <button
            class="button"
            disabled={units.size === 0 || units.size > AT_ONCE || unread.length > 0 || comparison.isPending}
          >
            Compare {countOf(units.size, 'SKU')}
          </button>
        </div>
      </form>
      {comparison.isSuccess && (
        <section class="box">
          <h2>Comparison</h2>
          <Table name="Comparison" columns={COLUMNS} rows={rows} keyOf={({ sku }) => sku} />
          <div class="actions">
            <Act
              name="Save the count"
              isQuiet={false}
              scope="stock:write"
              question={`${rows.filter(({ expected, counted }) => expected !== counted).length} of ${rows.length} counts in ${place} change. Units that are there fill backorders, the oldest first.`}
              confirm="Save the count"
              done={`The count of ${countOf(rows.length, 'SKU')} in ${place} is saved.`}
              act={async (key) => {
                await unwrap(
                  store.POST('/api/v1/bulk/stock', {
                    headers: once(key),
                    body: {
                      rows: rows.map(({ sku, counted }) => ({ sku, counted, stock_location_id: location })),
                    },
                  }),
                );
                change(() => setText(''));
              }}
            />
          </div>
        </section>
      )}
    </>
  );
}
