import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import type { Order } from 'store-api-client';
import { Link, useSearch } from 'wouter-preact';
import { AddressLines } from '../../shared/address-lines';
import { moneyOf } from '../../shared/money';
import { Totals } from '../../shared/totals';
import { useHead } from '../head';
import { Documents } from '../parts/documents';
import { LineItems } from '../parts/line-items';
import { Failure, Loading } from '../parts/loading';
import { ParcelItems } from '../parts/parcel-items';
import { ReturnRequests } from '../parts/return-requests';
import { describePayment } from '../payment-state';
import { documentsQuery, isMissing, orderQuery } from '../queries';
import { keptOrders, useShop } from '../shop';
import { dayOf, describeParcel, describeProgress, rateName, readReason } from '../words';

/** A complete order, for its customer and for guests with the link of the mail. */
export function OrderPage({ number }: { number: string }) {
  const shop = useShop();
  const search = new URLSearchParams(useSearch());
  const token = search.get('order_token');
  const [isNew] = useState(() => search.has('thanks'));
  useEffect(() => {
    // The address may be shared or logged, so it must not contain the token. A page that is loaded again does not thank again.
    if (token !== null || search.has('thanks')) history.replaceState(null, '', `/orders/${number}`);
  }, [token]);
  // Before the query below reads it.
  if (token !== null && keptOrders.get()[number] !== token)
    keptOrders.set({ ...keptOrders.get(), [number]: token });
  const { data: order, error, refetch } = useQuery(orderQuery(shop, number));
  const { data: documents } = useQuery({
    ...documentsQuery(shop, number),
    enabled: order != null && order.completed_at !== null,
  });
  useHead({ title: `Order ${number}`, canonical: null });
  if (error !== null) return isRefused(error) ? <Unknown /> : <Failure retry={refetch} />;
  if (order === undefined) return <Loading />;
  return (
    <div class="page">
      {isNew && (
        <p class="notice notice-good" role="status">
          Thank you! Your order is confirmed{order.email !== null && `; we write to ${order.email}`}.
        </p>
      )}
      <h1>Order {order.number}</h1>
      <p class="order-state">
        {[
          order.completed_at !== null && dayOf(order.completed_at),
          describeProgress(order),
          describePayment(order, documents),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div class="two-columns">
        <div>
          <Parcels order={order} />
          <LineItems order={order} />
          <ReturnRequests order={order} />
        </div>
        <aside class="summary">
          <Totals order={order} />
          <Refunds order={order} />
          {order.ship_address != null && (
            <>
              <h2>Ship to</h2>
              <p class="address">
                <AddressLines address={order.ship_address} />
              </p>
            </>
          )}
          <Documents number={order.number} documents={documents ?? []} />
        </aside>
      </div>
    </div>
  );
}

const isRefused = (error: unknown): boolean =>
  isMissing(error) || (error instanceof Error && 'status' in error && error.status === 401);

function Unknown() {
  return (
    <div class="page narrow">
      <h1>This order cannot be shown</h1>
      <p>Open it with the link of the mail, or sign in to the account it belongs to.</p>
      <p>
        <Link href="/orders/find" class="button">
          Get the link again
        </Link>
      </p>
    </div>
  );
}

/** What was given back; nothing without a refund. */
function Refunds({ order: { payments, currency } }: { order: Order }) {
  const refunds = payments.flatMap((payment) => payment.refunds);
  if (refunds.length === 0) return null;
  return (
    <>
      <h2>Refunds</h2>
      <ul class="refunds">
        {refunds.map(({ id, amount, reason, created_at }) => (
          <li key={id}>
            <span>
              {dayOf(created_at)}
              {readReason(reason)}
            </span>{' '}
            <span class="line-amount">{moneyOf(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Parcels({ order }: { order: Order }) {
  // Parcels that staff canceled or merged into another one have no units.
  const parcels = (order.shipments ?? []).filter(({ manifest }) => manifest.length > 0);
  return (
    <ul class="parcels">
      {parcels.map((parcel) => {
        const { id, number, state, tracking, tracking_url, shipped_at, selected_shipping_rate } = parcel;
        return (
          <li key={id}>
            <strong>{describeParcel(state)}</strong>
            {shipped_at !== null && ` on ${dayOf(shipped_at)}`}
            <span class="parcel-facts">
              {[selected_shipping_rate && rateName(selected_shipping_rate.name, order.currency), number]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {tracking !== null &&
              (tracking_url === null ? (
                <span>Tracking: {tracking}</span>
              ) : (
                <a href={tracking_url} rel="noreferrer" target="_blank">
                  Track {tracking}
                </a>
              ))}
            <ParcelItems order={order} parcel={parcel} />
          </li>
        );
      })}
    </ul>
  );
}
