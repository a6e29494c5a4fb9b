import { useMutation } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { readMessages } from '../../shared/messages';
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
import { keepBought, keptBought } from '../shop';

const TITLES: Readonly<Record<string, string>> = {
  address: 'Address',
  delivery: 'Delivery',
  payment: 'Payment',
  confirm: 'Review',
};

const CHANGED = 'The order has changed meanwhile, for example in another tab. Check each step again.';

const addressOf = (step: string): string => `/checkout?step=${step}`;

/**
 * The checkout. Each step has an address, so that Back leads to the step before. The order is at its furthest step; it
 * returns to an earlier one when that is sent.
 */
export function Checkout() {
  const { cart, key, isPending, isError, refetch, showCart, store, path } = useCart();
  const bought = keptBought.use();
  const [, go] = useLocation();
  const requested = new URLSearchParams(useSearch()).get('step') ?? '';
  const steps: string[] = (cart?.checkout_steps ?? []).filter((name) => TITLES[name] !== undefined);
  const furthest = steps.indexOf(cart?.state ?? '');
  const isReached = steps.includes(requested) && steps.indexOf(requested) <= furthest;
  const step = isReached ? requested : (cart?.state ?? '');
  const current = steps.indexOf(step);
  const title = TITLES[step];
  useHead({ title: title === undefined ? 'Checkout' : `${title} – Checkout`, canonical: null });
  useEffect(() => {
    if (furthest >= 0 && step !== requested) go(addressOf(step), { replace: true });
  }, [furthest, step, requested]);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useEffect(() => {
    const isFirst = shown.current === undefined;
    shown.current = title;
    if (isFirst || title === undefined) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [title]);

  // Why the order is at an earlier step than the buyer was.
  const [setback, setSetback] = useState<{ error: unknown; text: string | null } | null>(null);

  const show = (order: Order): void => {
    if (order.completed_at === null) {
      const reached = steps.indexOf(order.state);
      // A payment that waits keeps the last step.
      const isBehind = reached < current || (reached === current && step !== 'confirm');
      if (isBehind) setSetback({ error: undefined, text: CHANGED });
      else if (step !== 'cart') setSetback(null);
      showCart(order);
      if (order.state !== step) go(addressOf(order.state), { replace: step === 'cart' });
      return;
    }
    keepBought(order.number, order.token ?? key?.token ?? null);
    go(`/orders/${order.number}?thanks`, { replace: true });
  };
  const begin = useMutation({
    mutationFn: () => unwrap(store.PUT('/api/v1/checkouts/{number}/next', { params: { path } })),
    onSuccess: show,
  });
  const isCart = cart !== null && cart.state === 'cart' && cart.line_items.length > 0;
  useEffect(() => {
    if (isCart && !begin.isPending) begin.mutate();
  }, [isCart]);

  if (isError) return <Failure retry={refetch} />;
  if (key !== null && isPending) return <Loading />;
  if (cart === null || cart.line_items.length === 0)
    return bought === null ? <NothingToBuy /> : <Bought number={bought} />;
  const onRefused = async (error: unknown): Promise<void> => {
    const { data } = await refetch();
    if (data == null || steps.indexOf(data.state) >= current) return;
    // The shipments that the buyer saw are gone.
    const hasChanged = Object.keys(readMessages(error).fields).some((name) => name.startsWith('shipments.'));
    setSetback({ error, text: hasChanged ? CHANGED : null });
  };
  const props = { order: cart, step, store, path, onChange: show, onRefused };
  return (
    <div class="page">
      <h1 ref={heading} tabIndex={-1}>
        Checkout<span class="visually-hidden">: {title}</span>
      </h1>
      <ol class="steps">
        {steps.map((name, index) => (
          <li key={name} {...(index === current && { 'aria-current': 'step' as const })}>
            {index < current ? <Link href={addressOf(name)}>{TITLES[name]}</Link> : TITLES[name]}
          </li>
        ))}
      </ol>
      <div class="two-columns">
        <div>
          <Refusal error={begin.error} order={cart} />
          {setback !== null && step !== 'confirm' && <Refusal {...setback} order={cart} />}
          {step === 'address' && <AddressStep {...props} />}
          {step === 'delivery' && <DeliveryStep {...props} />}
          {step === 'payment' && <PaymentStep {...props} />}
          {step === 'confirm' && <ConfirmStep {...props} onBack={(name) => go(addressOf(name))} />}
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

function NothingToBuy() {
  return (
    <div class="page narrow">
      <h1>There is nothing to check out</h1>
      <Link href="/" class="button">
        To the shop
      </Link>
    </div>
  );
}

/** After Back from the order. */
function Bought({ number }: { number: string }) {
  return (
    <div class="page narrow">
      <h1>You have bought this</h1>
      <p>Your order is {number}.</p>
      <Link href={`/orders/${number}`} class="button">
        To the order
      </Link>
    </div>
  );
}
