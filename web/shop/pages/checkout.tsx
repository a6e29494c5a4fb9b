import { useMutation } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
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
    reopen(null);
    if (order.completed_at === null) {
      showCart(order);
      return;
    }
    const token = order.token ?? key?.token;
    if (token != null) keptOrders.set({ ...keptOrders.get(), [order.number]: token });
    keptCart.set(null);
    go(`/orders/${order.number}?thanks`, { replace: true });
  };
  // An earlier step that the buyer opened again; the order returns to it when the step is sent.
  const [reopened, reopen] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: () => unwrap(store.PUT('/api/v1/checkouts/{number}/next', { params: { path } })),
    onSuccess: show,
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
  const step = reopened ?? cart.state;
  const current = steps.indexOf(step);
  const props = { order: cart, step, store, path, onChange: show };
  return (
    <div class="page">
      <h1>Checkout</h1>
      <ol class="steps">
        {steps.map((name, index) => (
          <li key={name} {...(index === current && { 'aria-current': 'step' as const })}>
            {index < current ? (
              <button type="button" class="link" onClick={() => reopen(name)}>
                {TITLES[name]}
              </button>
            ) : (
              TITLES[name]
            )}
          </li>
        ))}
      </ol>
      <div class="two-columns">
        <div>
          <Refusal error={begin.error} order={cart} />
          {step === 'address' && <AddressStep {...props} />}
          {step === 'delivery' && <DeliveryStep {...props} />}
          {step === 'payment' && <PaymentStep {...props} />}
          {step === 'confirm' && <ConfirmStep {...props} onBack={reopen} refresh={refetch} />}
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
