import { useMutation } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { Link, useLocation } from 'wouter-preact';
import { Totals } from '../../shared/totals';
import { useCart } from '../cart';
import { useHead } from '../head';
import { LineItems } from '../parts/line-items';
import { Failure, Loading } from '../parts/loading';
import { AddressStep } from '../parts/address-step';
import { ConfirmStep } from '../parts/confirm-step';
import { DeliveryStep } from '../parts/delivery-step';
import { PaymentStep } from '../parts/payment-step';
import { Refusal } from '../parts/refusal';
import { keptCart, keptOrders } from '../shop';

const TITLES: Readonly<Record<string, string>> = {
  address: 'Address',
  delivery: 'Delivery',
  payment: 'Payment',
  confirm: 'Review',
};

/** The checkout. The state of the order is the current step; each step sends its part. */
export function Checkout() {
  const { cart, key, isPending, isError, refetch, showCart, store, path } = useCart();
  const [, go] = useLocation();
  useHead({ title: 'Checkout', canonical: null });

  const show = (order: Order): void => {
    if (order.completed_at === null) {
      showCart(order);
      return;
    }
    const token = order.token ?? key?.token;
    if (token != null) keptOrders.set({ ...keptOrders.get(), [order.number]: token });
    keptCart.set(null);
    go(`/orders/${order.number}?thanks`, { replace: true });
  };
  const begin = useMutation({
    mutationFn: () => unwrap(store.PUT('/api/v1/checkouts/{number}/next', { params: { path } })),
    onSuccess: show,
  });
  const back = useMutation({
    mutationFn: (state: string) =>
      unwrap(store.PUT('/api/v1/checkouts/{number}', { params: { path }, body: { state, order: {} } })),
    // The step after an earlier one may be taken at once; the reply has the state.
    onSettled: () => refetch(),
  });

  const isCart = cart !== null && cart.state === 'cart' && cart.line_items.length > 0;
  useEffect(() => {
    if (isCart && begin.isIdle) begin.mutate();
  }, [isCart]);

  if (isError) return <Failure retry={refetch} />;
  if (key !== null && isPending) return <Loading />;
  if (cart === null || cart.line_items.length === 0)
    return (
      <div class="page narrow">
        <h1>There is nothing to check out</h1>
        <Link href="/" class="button">
          To the shop
        </Link>
      </div>
    );
  const steps: string[] = cart.checkout_steps.filter((step) => TITLES[step] !== undefined);
  const current = steps.indexOf(cart.state);
  const props = { order: cart, store, path, onChange: show };
  return (
    <div class="page">
      <h1>Checkout</h1>
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={step} {...(index === current && { 'aria-current': 'step' as const })}>
            {index < current ? (
              <button type="button" class="link" disabled={back.isPending} onClick={() => back.mutate(step)}>
                {TITLES[step]}
              </button>
            ) : (
              TITLES[step]
            )}
          </li>
        ))}
      </ol>
      <div class="two-columns">
        <div>
          <Refusal error={begin.error ?? back.error} order={cart} />
          {cart.state === 'address' && <AddressStep {...props} />}
          {cart.state === 'delivery' && <DeliveryStep {...props} />}
          {cart.state === 'payment' && <PaymentStep {...props} />}
          {cart.state === 'confirm' && (
            <ConfirmStep {...props} onBack={(step) => back.mutate(step)} refresh={refetch} />
          )}
        </div>
        <aside class="summary">
          <LineItems order={cart} />
          <Totals order={cart} />
          <Link href="/cart">Change the cart</Link>
        </aside>
      </div>
    </div>
  );
}
