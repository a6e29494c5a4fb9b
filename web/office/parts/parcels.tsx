import { useState } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { Field } from '../../shared/field';
import { store } from '../office';
import { dateOf, inWords } from '../words';
import { Act } from './act';
import { Download } from './download';

type Parcel = NonNullable<Order['shipments']>[number];

/** The parcels of an order: what is in each, and shipping it. */
export function Parcels({ order }: { order: Order }) {
  const names = new Map(order.line_items.map(({ variant_id, variant }) => [variant_id, variant]));
  return (
    <section class="box">
      <h2>Parcels</h2>
      {(order.shipments ?? []).map((parcel) => (
        <article key={parcel.id} class="parcel">
          <div class="title">
            <h3>{parcel.number}</h3>
            <span class="mark">{inWords(parcel.state)}</span>
          </div>
          <p class="quiet">
            {parcel.selected_shipping_rate?.name} from {parcel.stock_location_name}
            {parcel.shipped_at !== null && `, shipped ${dateOf(parcel.shipped_at)}`}
            {parcel.tracking !== null && `, tracking ${parcel.tracking}`}
          </p>
          <ul>
            {parcel.manifest.map(({ variant_id, quantity, states }) => (
              <li key={variant_id}>
                {quantity} × {names.get(variant_id)?.name} {names.get(variant_id)?.options_text}
                {(states['backordered'] ?? 0) > 0 && (
                  <span class="mark mark-bad">{states['backordered']} backordered</span>
                )}
              </li>
            ))}
          </ul>
          <div class="actions">
            {parcel.state === 'ready' && <Ship parcel={parcel} email={order.email} />}
            {parcel.state === 'shipped' && <Track parcel={parcel} />}
            <Download
              path={`/api/v1/shipments/${parcel.number}/packing_slip.pdf`}
              file={`${parcel.number}.pdf`}
              name="Packing slip"
              class="button-quiet"
            />
          </div>
        </article>
      ))}
    </section>
  );
}

function Ship({ parcel, email }: { parcel: Parcel; email: string | null }) {
  const [tracking, setTracking] = useState(parcel.tracking ?? '');
  return (
    <Act
      name="Ship"
      isQuiet={false}
      question={`${parcel.number} leaves ${parcel.stock_location_name}. ${email === null ? '' : `${email} gets an e-mail.`}`}
      confirm="Ship the parcel"
      act={(key) =>
        unwrap(
          store.PUT('/api/v1/shipments/{number}/ship', {
            params: { path: { number: parcel.number } },
            headers: { 'Idempotency-Key': key },
            body: { shipment: { tracking: tracking.trim() === '' ? null : tracking.trim() } },
          }),
        )
      }
    >
      <Field label="Tracking (optional)" value={tracking} maxLength={255} onText={setTracking} />
    </Act>
  );
}

function Track({ parcel }: { parcel: Parcel }) {
  const [tracking, setTracking] = useState(parcel.tracking ?? '');
  return (
    <Act
      name="Change the tracking"
      question={`The tracking of ${parcel.number} is ${parcel.tracking ?? 'empty'}.`}
      confirm="Save the tracking"
      act={(key) =>
        unwrap(
          store.PUT('/api/v1/shipments/{number}', {
            params: { path: { number: parcel.number } },
            headers: { 'Idempotency-Key': key },
            body: { shipment: { tracking: tracking.trim() } },
          }),
        )
      }
    >
      <Field label="Tracking" value={tracking} maxLength={255} onText={setTracking} />
    </Act>
  );
}
