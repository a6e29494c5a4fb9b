import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { forgetTab } from '../../shared/draft';
import { useHead } from '../head';
import { ChangePassword } from '../parts/change-password';
import { Loading } from '../parts/loading';
import { OwnAddresses } from '../parts/own-addresses';
import { OwnCards } from '../parts/own-cards';
import { OwnOrders } from '../parts/own-orders';
import { ownAccountQuery } from '../queries';
import { keptBought, keptCart, keptCoupons, keptOrders, keptSignIn, useShop } from '../shop';

/** The account of a customer: orders, addresses, cards and password. */
export function Account() {
  const shop = useShop();
  const client = useQueryClient();
  const [, go] = useLocation();
  const signIn = keptSignIn.use();
  const { data: person } = useQuery(ownAccountQuery(shop, signIn !== null));
  const email = person?.email ?? '';
  useHead({ title: 'Account', canonical: null });
  useEffect(() => {
    if (keptSignIn.get() === null) go('/sign-in', { replace: true });
  }, [signIn]);
  const signOut = useMutation({
    mutationFn: () => shop.store.DELETE('/api/v1/sessions'),
    onSettled: () => {
      keptSignIn.set(null);
      keptCart.set(null);
      keptBought.set(null);
      keptCoupons.set(null);
      // Their tokens would show the orders to the next person at this computer.
      keptOrders.set({});
      forgetTab();
      client.clear();
      go('/');
    },
  });
  if (signIn === null) return <Loading />;
  return (
    <div class="page">
      <h1>Account</h1>
      <p class="account-person">
        {email}
        <button type="button" class="link" onClick={() => signOut.mutate()}>
          Sign out
        </button>
      </p>
      <section class="row">
        <h2>Orders</h2>
        <OwnOrders />
      </section>
      <section class="row">
        <h2>Addresses</h2>
        <OwnAddresses />
      </section>
      <OwnCards />
      <section class="row">
        <h2>Sign-in</h2>
        <ChangePassword email={email} />
      </section>
    </div>
  );
}
