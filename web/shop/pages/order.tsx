import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { StoreError, type Order } from 'store-api-client';
import { Link, useSearch } from 'wouter-preact';
import { AddressLines } from '../../shared/address-lines';
import { describeError } from '../../shared/messages';
import { saveFile } from '../../shared/save-file';
import { Totals } from '../../shared/totals';
import { useHead } from '../head';
import { LineItems } from '../parts/line-items';
import { Failure, Loading } from '../parts/loading';
import { ReturnRequests } from '../parts/return-requests';
import { isMissing, orderQuery } from '../queries';
import { keptOrders, keptSignIn, tokenOf, useShop } from '../shop';

const STATES: Readonly<Record<string, string>> = {
  complete: 'Confirmed',
  canceled: 'Canceled',
  awaiting_return: 'A return is expected',
  returned: 'Returned',
};

const PARCELS: Readonly<Record<string, string>> = {
  pending: 'Being prepared',
  ready: 'Ready to ship',
  backorder: 'Backordered',
  shipped: 'Shipped',
  canceled: 'Canceled',
};

const PAYMENTS: Readonly<Record<string, string>> = {
  paid: 'Paid',
  balance_due: 'Payment is due',
  credit_owed: 'A refund is due',
  failed: 'The payment failed',
  void: 'Nothing was charged',
};

/** Describes the state of the payments. An authorized payment is captured when the order is shipped. */
function describePayment({ payment_state, payments }: Order): string {
  if (payment_state === 'balance_due' && payments.some(({ state }) => state === 'pending'))
    return 'Payment authorized';
  return PAYMENTS[payment_state ?? ''] ?? '';
}

const dateOf = (time: string): string => new Date(time).toLocaleDateString(undefined, { dateStyle: 'long' });

/** A complete order, for its customer and for guests with the link of the mail. */
export function OrderPage({ number }: { number: string }) {
  const shop = useShop();
  const search = new URLSearchParams(useSearch());
  const token = search.get('order_token');
  useEffect(() => {
    if (token === null) return;
    // The address may be shared or logged, so it must not contain the token.
    history.replaceState(null, '', `/orders/${number}`);
  }, [token]);
  // Before the query below reads it.
  if (token !== null && keptOrders.get()[number] !== token && typeof localStorage !== 'undefined')
    keptOrders.set({ ...keptOrders.get(), [number]: token });
  const {
    data: order,
    error,
    refetch,
  } = useQuery({
    ...orderQuery(shop, number),
    enabled: typeof localStorage !== 'undefined',
  });
  useHead({ title: `Order ${number}`, canonical: null });
  if (error !== null) return isRefused(error) ? <Unknown /> : <Failure retry={refetch} />;
  if (order === undefined) return <Loading />;
  return (
    <div class="page">
      {search.has('thanks') && (
        <p class="notice notice-good" role="status">
          Thank you! Your order is confirmed{order.email !== null && `; we write to ${order.email}`}.
        </p>
      )}
      <h1>Order {order.number}</h1>
      <p class="order-state">
        {order.completed_at !== null && `${dateOf(order.completed_at)} · `}
        {STATES[order.state] ?? 'Not bought yet'}
        {order.payment_state !== null && ` · ${describePayment(order)}`}
      </p>
      <div class="two-columns">
        <div>
          <Parcels order={order} />
          <LineItems order={order} />
          <ReturnRequests order={order} />
        </div>
        <aside class="summary">
          <Totals order={order} />
          {order.ship_address != null && (
            <>
              <h2>Ship to</h2>
              <p class="address">
                <AddressLines address={order.ship_address} />
              </p>
            </>
          )}
          {order.completed_at !== null && <Invoice number={order.number} />}
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

function Parcels({ order }: { order: Order }) {
  return (
    <ul class="parcels">
      {(order.shipments ?? []).map(
        ({ id, number, state, tracking, tracking_url, shipped_at, selected_shipping_rate }) => (
          <li key={id}>
            <strong>{PARCELS[state] ?? state}</strong>
            {shipped_at !== null && ` on ${dateOf(shipped_at)}`}
            <span class="parcel-facts">
              {selected_shipping_rate?.name} · {number}
            </span>
            {tracking !== null &&
              (tracking_url === null ? (
                <span>Tracking: {tracking}</span>
              ) : (
                <a href={tracking_url} rel="noreferrer" target="_blank">
                  Track {tracking}
                </a>
              ))}
          </li>
        ),
      )}
    </ul>
  );
}

/** Downloads the invoice. The token goes in a header, so a link would not do. */
function Invoice({ number }: { number: string }) {
  const shop = useShop();
  const download = useMutation({
    mutationFn: async () => {
      const [orderToken, token] = [tokenOf(number), keptSignIn.get()?.token];
      const response = await fetch(`${shop.baseUrl}/api/v1/orders/${number}/invoice.pdf`, {
        headers: {
          ...(orderToken !== null && { 'X-Order-Token': orderToken }),
          ...(token !== undefined && { 'X-Store-Token': token }),
        },
      });
      if (!response.ok) throw new StoreError(response, await response.json().catch(() => null));
      await saveFile(response, `${number}.pdf`);
    },
  });
  return (
    <p>
      <button
        type="button"
        class="button-quiet"
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        {download.isPending ? 'Preparing…' : 'Download the invoice'}
      </button>
      {download.isError && <span class="field-error">{describeError(download.error)}</span>}
    </p>
  );
}
