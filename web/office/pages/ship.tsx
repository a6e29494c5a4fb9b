import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type Shipment } from 'store-api-client';
import { useMay } from '../access';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { Download } from '../parts/download';
import { textOf, type Values } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { OrderLink } from '../parts/order-link';
import { Table, type Column } from '../parts/table';
import { readTrackings, type TrackedParcel } from '../rules/scanned-lines';
import { countOf, dateOf } from '../words';
import { nameOf } from '../../shared/variant-name';

const AT_ONCE = 100;
/** Who bought first is served first. */
const READY = { state_eq: 'ready', order_state_not_in: ['canceled'], s: 'order_completed_at asc' } as const;
const SLIPS = '/api/v1/shipments/packing_slips.pdf';

interface Pick {
  variantId: number;
  sku: string;
  name: string;
  units: number;
  parcels: number;
}

const PICK_COLUMNS: readonly Column<Pick>[] = [
  { name: 'Item', cell: ({ name }) => name },
  { name: 'SKU', cell: ({ sku }) => sku },
  { name: 'Units', isNumber: true, cell: ({ units }) => units },
  { name: 'Parcels', isNumber: true, cell: ({ parcels }) => parcels },
];

/** A parcel, and when its order was bought; left out for staff that may not see orders. */
interface Parcel extends Shipment {
  bought?: string | null | undefined;
}

const FROM: Column<Parcel> = {
  name: 'From',
  isShort: true,
  cell: ({ stock_location_name }) => stock_location_name,
};

const BOUGHT: Column<Parcel> = { name: 'Bought', isShort: true, cell: ({ bought }) => dateOf(bought) };

/** Adds up what the parcels contain, by variant: some have no SKU. */
function buildPickList(shipments: readonly Shipment[]): Pick[] {
  const picks = new Map<number, Pick>();
  for (const { variant, quantity } of shipments.flatMap(({ manifest }) => manifest)) {
    const { id: variantId, sku } = variant;
    const pick = picks.get(variantId) ?? { variantId, sku, name: nameOf(variant), units: 0, parcels: 0 };
    picks.set(variantId, { ...pick, units: pick.units + quantity, parcels: pick.parcels + 1 });
  }
  return [...picks.values()].sort((one, other) => (one.sku < other.sku ? -1 : 1));
}

/** Reads the parcels that are ready, the first ones of them. */
async function listReady(maySeeOrders: boolean, signal: AbortSignal) {
  const { shipments, total_count } = await unwrap(
    store.GET('/api/v1/shipments', { params: { query: { q: READY, per_page: AT_ONCE } }, signal }),
  );
  if (!maySeeOrders || shipments.length === 0) return { parcels: shipments, count: total_count };
  const numbers = [...new Set(shipments.map(({ order_id }) => order_id))];
  const query = { q: { number_in: numbers }, fields: 'number,completed_at', per_page: AT_ONCE };
  const { orders } = await unwrap(store.GET('/api/v1/orders', { params: { query }, signal }));
  const bought = new Map(orders.map(({ number, completed_at }) => [number, completed_at]));
  const parcels: Parcel[] = shipments.map((one) => ({ ...one, bought: bought.get(one.order_id) }));
  return { parcels, count: total_count };
}

/** The parcels that can leave: what to pick, their packing slips, and their trackings in one go. */
export function Ship() {
  const maySeeOrders = useMay()('orders:read');
  const query = useQuery({
    queryKey: ['/ship'],
    queryFn: ({ signal }) => listReady(maySeeOrders, signal),
  });
  return (
    <>
      <h1>Ship today</h1>
      <Loaded query={query}>
        {({ parcels, count }) =>
          parcels.length === 0 ? (
            <p class="notice notice-good">All parcels that are ready have left.</p>
          ) : (
            <Parcels shipments={parcels} count={count} />
          )
        }
      </Loaded>
    </>
  );
}

function Parcels({ shipments, count }: { shipments: readonly Parcel[]; count: number }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // What left meanwhile is not chosen any more.
  const picked = shipments.filter(({ number }) => chosen.has(number));
  const shown = picked.length === 0 ? shipments : picked;
  const toggle = (number: string, isChosen: boolean): void => {
    const next = new Set(chosen);
    if (isChosen) next.add(number);
    else next.delete(number);
    setChosen(next);
  };
  const slips = new URLSearchParams(shown.map(({ number }) => ['q[number_in][]', number]));
  const hasOneLocation = new Set(shipments.map(({ stock_location_name: from }) => from)).size === 1;
  const columns: readonly Column<Parcel>[] = [
    {
      name: 'Parcel',
      cell: ({ number }) => (
        <label class="check">
          <input
            type="checkbox"
            checked={chosen.has(number)}
            onChange={(event) => toggle(number, event.currentTarget.checked)}
          />
          {number}
        </label>
      ),
    },
    {
      name: 'Order',
      isShort: true,
      cell: ({ order_id }) => <OrderLink number={order_id} />,
    },
    {
      name: 'To',
      cell: ({ ship_address: to }) =>
        to === null ? '' : `${to.full_name}, ${to.zipcode} ${to.city}, ${to.country?.iso ?? ''}`,
    },
    { name: 'Method', cell: ({ selected_shipping_rate: [rate] }) => rate?.name },
    ...(hasOneLocation ? [] : [FROM]),
    {
      name: 'Units',
      isNumber: true,
      cell: ({ manifest }) => manifest.reduce((sum, { quantity }) => sum + quantity, 0),
    },
    ...(shipments.some(({ bought }) => bought != null) ? [BOUGHT] : []),
  ];
  return (
    <>
      <p class="quiet">
        {count} {count === 1 ? 'parcel is' : 'parcels are'} ready
        {count > shipments.length && `, the oldest ${shipments.length} are listed`}.{' '}
        {picked.length > 0 && `${picked.length} chosen.`}
      </p>
      <div class="actions actions-first">
        <Download
          path={`${SLIPS}?${slips.toString()}`}
          file="packing-slips.pdf"
          name={`Packing slips of ${shown.length}`}
          scope="shipments:read"
          class="button-quiet"
        />
        <ShipMany shipments={shown} />
      </div>
      <section class="box">
        <h2>Parcels</h2>
        <Table name="Parcels" columns={columns} rows={shipments} keyOf={({ number }) => number} />
      </section>
      <section class="box">
        <h2>Pick list{picked.length > 0 && ` of ${picked.length}`}</h2>
        <Table
          name="Pick list"
          columns={PICK_COLUMNS}
          rows={buildPickList(shown)}
          keyOf={({ variantId }) => variantId}
        />
      </section>
    </>
  );
}

function ShipMany({ shipments }: { shipments: readonly Shipment[] }) {
  const rowsOf = (values: Values): TrackedParcel[] => readTrackings(textOf(values, 'rows'));
  return (
    <Act
      name={`Ship ${shipments.length}`}
      isQuiet={false}
      scope="shipments:write"
      question="Each line is a parcel, followed by its tracking if it has one: paste or scan them. All of these parcels leave, and their buyers get e-mails."
      confirm={(values) => `Ship ${countOf(rowsOf(values).length, 'parcel')}`}
      done={(values) => `${countOf(rowsOf(values).length, 'parcel')} shipped.`}
      fields={[{ name: 'rows', label: 'Parcels and trackings', kind: 'long', isRequired: true }]}
      initial={{ rows: shipments.map(({ number }) => `${number} `).join('\n') }}
      act={(key, values) => shipAll(rowsOf(values), key)}
    />
  );
}

/** Ships all of the parcels, or none. */
const shipAll = (rows: readonly TrackedParcel[], key: string): Promise<unknown> =>
  unwrap(
    store.POST('/api/v1/bulk/shipments', {
      headers: once(key),
      body: { rows: rows.map((row) => ({ ...row, ship: true })) },
    }),
  );
