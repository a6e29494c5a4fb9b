import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { unwrap, type StockItem } from 'store-api-client';
import { Link } from 'wouter-preact';
import { keep } from '../../shared/kept';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { LongField } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { LocationSelect, NoLocations } from '../parts/location-select';
import { Table, type Column } from '../parts/table';
import { locationsQuery } from '../queries';
import { readCount } from '../rules/scanned-lines';
import { countOf } from '../words';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';
import { nameOf } from '../../shared/variant-name';

const AT_ONCE = 500;

/** So many SKUs fit into the address of a request, also long ones. */
const IN_ADDRESS = 100;

/** Finds the records of SKUs, in several requests for many. */
async function findInParts<Row>(
  skus: readonly string[],
  find: (part: string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let first = 0; first < skus.length; first += IN_ADDRESS)
    found.push(...(await find(skus.slice(first, first + IN_ADDRESS))));
  return found;
}

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
      <Loaded query={query}>
        {(locations) => (locations.length === 0 ? <NoLocations /> : <CountForm locations={locations} />)}
      </Loaded>
    </>
  );
}

async function findItems(location: number, skus: string[]): Promise<readonly StockItem[]> {
  const { stock_items } = await unwrap(
    store.GET('/api/v1/stock_locations/{stock_location_id}/stock_items', {
      params: {
        path: { stock_location_id: location },
        query: { q: { variant_sku_in: skus }, per_page: IN_ADDRESS },
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
      name: item === undefined ? '' : nameOf(item.variant),
      expected: item === undefined ? null : item.count_on_hand + item.committed,
    };
  });
}

async function findVariants(skus: string[]): Promise<readonly { sku: string }[]> {
  const { variants } = await unwrap(
    store.GET('/api/v1/variants', {
      params: { query: { q: { sku_in: skus }, fields: 'sku', per_page: IN_ADDRESS } },
    }),
  );
  return variants;
}

/** What was typed and not saved yet. */
const keptCount = keep('office.count', { location: 0, text: '' });

/**
 * Finds the stock items of SKUs at a location, and which SKUs no variant has. The catalog shows only what is on sale to staff who may
 * not read it, so that the location knows more SKUs.
 */
async function lookUp(location: number, skus: readonly string[]) {
  const [items, variants] = await Promise.all([
    findInParts(skus, (part) => findItems(location, part)),
    findInParts(skus, findVariants),
  ]);
  const known = new Set([...items.map(({ variant }) => variant), ...variants].map(({ sku }) => sku));
  return { items, unknown: skus.filter((sku) => !known.has(sku)) };
}

function CountForm({ locations }: { locations: readonly { id: number; name: string }[] }) {
  const kept = keptCount.use();
  const { text } = kept;
  const { id: location = 0, name: place = '' } =
    locations.find(({ id }) => id === kept.location) ?? locations[0] ?? {};
  const { units, unread } = readCount(text);
  // Without the line that is being typed.
  const complete = [...readCount(text.slice(0, text.lastIndexOf('\n') + 1)).units.keys()];
  const check = useQuery({
    queryKey: ['counted-skus', location, complete],
    queryFn: () => lookUp(location, complete),
    enabled: complete.length > 0 && complete.length <= AT_ONCE,
    placeholderData: keepPreviousData,
  });
  const comparison = useOnce({
    mutationFn: async () => {
      const { items, unknown } = await lookUp(location, [...units.keys()]);
      return { unknown, rows: compare(items, units) };
    },
  });
  const change = (changed: Partial<typeof kept>): void => {
    keptCount.set({ location, text, ...changed });
    // Another count needs another comparison.
    comparison.reset();
  };
  const { rows = [], unknown = check.data?.unknown ?? [] } = comparison.data ?? {};
  const unknownHere = unknown.filter((sku) => units.has(sku));
  return (
    <>
      <form
        class="box fields"
        onSubmit={(event) => {
          event.preventDefault();
          comparison.mutate();
        }}
      >
        <LocationSelect locations={locations} value={location} choose={(id) => change({ location: id })} />
        <LongField
          label="Counted units"
          hint="One line for each SKU with its number, or one for each scanned unit. A comma before the number keeps it apart from a SKU that ends in a number. Count all units at the location, also packed ones."
          rows={8}
          value={text}
          onText={(typed) => change({ text: typed })}
        />
        {unread.length > 0 && <p class="field-error">Not read: {unread.join('; ')}</p>}
        {unknownHere.length > 0 && (
          <p class="field-error" role="alert">
            No product has this SKU: {unknownHere.join(', ')}
          </p>
        )}
        {units.size > AT_ONCE && <p class="field-error">Count at most {AT_ONCE} SKUs at a time.</p>}
        <ErrorNotice error={comparison.error} />
        <div class="actions">
          <button
            class="button"
            disabled={
              units.size === 0 ||
              units.size > AT_ONCE ||
              unread.length > 0 ||
              unknownHere.length > 0 ||
              comparison.isPending
            }
          >
            Compare {countOf(units.size, 'SKU')}
          </button>
          {text !== '' && (
            <button type="button" class="link" onClick={() => change({ text: '' })}>
              Discard the count
            </button>
          )}
        </div>
      </form>
      {comparison.isSuccess && unknownHere.length === 0 && (
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
                change({ text: '' });
              }}
            />
          </div>
        </section>
      )}
    </>
  );
}
