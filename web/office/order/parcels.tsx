import { unwrap, type Order } from 'store-api-client';
import { store } from '../office';
import { Act, amongSeveral, once } from '../parts/act';
import { Download } from '../parts/download';
import { optional, textOf } from '../parts/fields';
import { balanceOf } from '../rules/balance';
import { dateOf, inWords, moneyOf } from '../words';
import { nameOf } from '../../shared/variant-name';
import { Split } from './split';

export type Parcel = NonNullable<Order['shipments']>[number];

/** A parcel, and what its buttons are about if there are others. */
export interface OfParcel {
  parcel: Parcel;
  of: string | undefined;
}

/** The parcels of an order: what is in each, shipping it, its freight, and moving units to another one. */
export function Parcels({ order }: { order: Order }) {
  const names = new Map(order.line_items.map(({ variant_id, variant }) => [variant_id, nameOf(variant)]));
  const parcels = order.shipments ?? [];
  const nameButtons = ({ number }: Parcel): string | undefined => amongSeveral(parcels, number);
  return (
    <section class="box">
      <h2>Parcels</h2>
      {parcels.map((parcel) => (
        <article key={parcel.id} class="parcel">
          <div class="title">
            <h3>{parcel.number}</h3>
            <span class="mark">{inWords(parcel.state)}</span>
          </div>
          <p class="quiet">
            {parcel.selected_shipping_rate?.name} from {parcel.stock_location_name},{' '}
            {moneyOf(parcel.cost, order.currency)}
            {parcel.shipped_at !== null && `, shipped ${dateOf(parcel.shipped_at)}`}
            {parcel.tracking !== null && `, tracking ${parcel.tracking}`}
          </p>
          <ul>
            {parcel.manifest.map(({ variant_id, quantity, states }) => (
              <li key={variant_id}>
                {quantity} × {names.get(variant_id)}
                {(states['backordered'] ?? 0) > 0 && (
                  <span class="mark mark-bad">{states['backordered']} backordered</span>
                )}
                {(states['returned'] ?? 0) > 0 && <span class="mark">{states['returned']} returned</span>}
              </li>
            ))}
          </ul>
          {parcel.state === 'pending' && <p class="hint">{waitOf(parcel, order)}</p>}
          {isMerged(parcel) && (
            <p class="hint">
              Its units are in another parcel. Its freight stays, because it is taxed at other rates.
            </p>
          )}
          <div class="actions">
            {parcel.state === 'ready' && (
              <Ship parcel={parcel} of={nameButtons(parcel)} email={order.email} />
            )}
            {parcel.state === 'shipped' && <Track parcel={parcel} of={nameButtons(parcel)} />}
            {(isUnshipped(parcel) || (isMerged(parcel) && order.state !== 'canceled')) && (
              <Freight parcel={parcel} of={nameButtons(parcel)} currency={order.currency} />
            )}
            {isUnshipped(parcel) && <Split parcel={parcel} of={nameButtons(parcel)} order={order} />}
            {parcel.manifest.length > 0 && (
              <Download
                path={`/api/v1/shipments/${parcel.number}/packing_slip.pdf`}
                file={`${parcel.number}.pdf`}
                name="Packing slip"
                of={nameButtons(parcel)}
                scope="shipments:read"
                class="button-quiet"
              />
            )}
          </div>
        </article>
      ))}
    </section>
  );
}

const isUnshipped = ({ state }: Parcel): boolean => state === 'ready' || state === 'pending';

const isMerged = ({ state, manifest, cost }: Parcel): boolean =>
  state === 'canceled' && manifest.length === 0 && Number(cost) > 0;

/** Why a pending parcel cannot leave, and what lets it. */
function waitOf({ manifest }: Parcel, order: Order): string {
  if (order.completed_at === null) return 'It can be shipped once the order is bought.';
  if (manifest.some(({ states }) => (states['backordered'] ?? 0) > 0))
    return 'It can be shipped once its backordered units have arrived; the others can be split off.';
  const balance = balanceOf(order);
  if (balance?.isDue !== true) return 'It cannot be shipped yet.';
  return `It can be shipped once ${moneyOf(balance.amount, order.currency)} is paid: capture or record a payment, or add a discount.`;
}

const TRACKING = { name: 'tracking', label: 'Tracking (optional)' } as const;

function Ship({ parcel, of, email }: OfParcel & { email: string | null }) {
  const { number, tracking, stock_location_name } = parcel;
  return (
    <Act
      name="Ship"
      of={of}
      isQuiet={false}
      scope="shipments:write"
      question={`${number} leaves ${stock_location_name}. ${email === null ? '' : `${email} gets an e-mail.`}`}
      confirm="Ship the parcel"
      done={`${number} is shipped.`}
      fields={[TRACKING]}
      initial={{ tracking: tracking ?? '' }}
      act={(key, values) =>
        unwrap(
          store.PUT('/api/v1/shipments/{number}/ship', {
            params: { path: { number } },
            headers: once(key),
            body: { shipment: { tracking: optional(values, 'tracking') } },
          }),
        )
      }
    />
  );
}

function Track({ parcel: { number, tracking }, of }: OfParcel) {
  return (
    <Act
      name="Change the tracking"
      of={of}
      scope="shipments:write"
      question={`The tracking of ${number} is ${tracking ?? 'empty'}.`}
      confirm="Save the tracking"
      done={`The tracking of ${number} is saved.`}
      fields={[TRACKING]}
      initial={{ tracking: tracking ?? '' }}
      act={(key, values) =>
        unwrap(
          store.PUT('/api/v1/shipments/{number}', {
            params: { path: { number } },
            headers: once(key),
            body: { shipment: { tracking: textOf(values, 'tracking') } },
          }),
        )
      }
    />
  );
}

function Freight({ parcel, of, currency }: OfParcel & { currency: string }) {
  const { number, cost, shipping_rates, selected_shipping_rate } = parcel;
  const chosen = String(selected_shipping_rate?.id ?? '');
  const offered = shipping_rates.filter(({ selected }) => selected || isUnshipped(parcel));
  return (
    <Act
      name="Change the delivery"
      of={of}
      scope="shipments:write"
      question={`${number} is sent by ${selected_shipping_rate?.name ?? 'no method'} for ${moneyOf(cost, currency)}. The total changes; what is then owed is charged or refunded under Payments.`}
      confirm="Save the delivery"
      done={`The delivery of ${number} is changed.`}
      fields={[
        {
          name: 'rate',
          label: 'Shipping method',
          kind: 'choice',
          isRequired: true,
          choices: offered.map(({ id, name, display_cost }) => ({
            value: String(id),
            name: `${name}, ${display_cost}`,
          })),
        },
        {
          name: 'cost',
          label: `Other freight in ${currency} (optional)`,
          kind: 'amount',
          hint: 'Instead of the freight of the method.',
        },
      ]}
      initial={{ rate: chosen }}
      act={(key, values) =>
        unwrap(
          store.PUT('/api/v1/shipments/{number}', {
            params: { path: { number } },
            headers: once(key),
            body: {
              shipment: {
                ...(textOf(values, 'rate') !== chosen && {
                  selected_shipping_rate_id: Number(textOf(values, 'rate')),
                }),
                ...(textOf(values, 'cost') !== '' && { cost: textOf(values, 'cost') }),
              },
            },
          }),
        )
      }
    />
  );
}
