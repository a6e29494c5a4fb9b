import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { Link, useLocation } from 'wouter-preact';
import { AddressLines } from '../../shared/address-lines';
import { useHead } from '../head';
import { Failure, Loading } from '../parts/loading';
import { keptCart, keptOrders, keptSignIn, useShop } from '../shop';

/** The account of a customer: orders, addresses and cards. */
export function Account() {
  const { store } = useShop();
  const client = useQueryClient();
  const [, go] = useLocation();
  const signIn = keptSignIn.use();
  useHead({ title: 'Account', canonical: null });
  useEffect(() => {
    if (keptSignIn.get() === null) go('/sign-in', { replace: true });
  }, [signIn]);
  const enabled = signIn !== null;
  const orders = useQuery({
    queryKey: ['own orders'],
    enabled,
    queryFn: () => unwrap(store.GET('/api/v1/orders/mine', { params: { query: { per_page: 50 } } })),
  });
  const addresses = useQuery({
    queryKey: ['own addresses'],
    enabled,
    queryFn: async () => (await unwrap(store.GET('/api/v1/users/me/addresses'))).addresses,
  });
  const cards = useQuery({
    queryKey: ['own cards'],
    enabled,
    queryFn: async () => (await unwrap(store.GET('/api/v1/users/me/credit_cards'))).credit_cards,
  });
  const removeAddress = useMutation({
    mutationFn: (id: number) =>
      unwrap(store.DELETE('/api/v1/users/me/addresses/{id}', { params: { path: { id } } })),
    onSettled: () => addresses.refetch(),
  });
  const removeCard = useMutation({
    mutationFn: (id: number) =>
      unwrap(store.DELETE('/api/v1/users/me/credit_cards/{id}', { params: { path: { id } } })),
    onSettled: () => cards.refetch(),
  });
  const signOut = useMutation({
    mutationFn: () => store.DELETE('/api/v1/sessions'),
    onSettled: () => {
      keptSignIn.set(null);
      keptCart.set(null);
      // Their tokens would show the orders to the next person at this computer.
      keptOrders.set({});
      client.clear();
      go('/');
    },
  });
  if (signIn === null) return <Loading />;
  const bought = (orders.data?.orders ?? []).filter(({ completed_at }) => completed_at !== null);
  return (
    <div class="page">
      <h1>Account</h1>
      <p>
        {signIn.email}{' '}
        <button type="button" class="link" onClick={() => signOut.mutate()}>
          Sign out
        </button>
      </p>
      <section class="row">
        <h2>Orders</h2>
        {orders.isError && <Failure retry={orders.refetch} />}
        {orders.isPending && <Loading />}
        {orders.isSuccess && bought.length === 0 && <p>There are no orders yet.</p>}
        <ul class="orders">
          {bought.map(({ number, completed_at, display_total, total_quantity, shipment_state }) => (
            <li key={number}>
              <Link href={`/orders/${number}`}>{number}</Link>
              <span>{new Date(completed_at ?? '').toLocaleDateString()}</span>
              <span>
                {total_quantity} {total_quantity === 1 ? 'item' : 'items'}
              </span>
              <span>{shipment_state === 'shipped' ? 'Shipped' : 'In progress'}</span>
              <span class="line-amount">{display_total}</span>
            </li>
          ))}
        </ul>
      </section>
      <section class="row">
        <h2>Addresses</h2>
        {addresses.data?.length === 0 && <p>The addresses of your orders will be here.</p>}
        <ul class="boxes">
          {addresses.data?.map((address) => (
            <li key={address.id}>
              <p class="address">
                <AddressLines address={address} />
              </p>
              <button type="button" class="link" onClick={() => removeAddress.mutate(address.id)}>
                Remove<span class="visually-hidden"> the address of {address.full_name}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      {(cards.data?.length ?? 0) > 0 && (
        <section class="row">
          <h2>Cards</h2>
          <ul class="boxes">
            {cards.data?.map(({ id, cc_type, last_digits, month, year }) => (
              <li key={id}>
                <p>
                  {cc_type ?? 'Card'} ending in {last_digits}, {month}/{year}
                </p>
                <button type="button" class="link" onClick={() => removeCard.mutate(id)}>
                  Remove<span class="visually-hidden"> the card ending in {last_digits}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
