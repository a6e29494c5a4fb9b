import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { describeError } from '../../shared/messages';
import { Totals } from '../../shared/totals';
import { useCart } from '../cart';
import { useHead } from '../head';
import { LineItems } from '../parts/line-items';
import { Failure, Loading } from '../parts/loading';

export function Cart() {
  const { cart, key, isPending, isError, refetch, setQuantity, codes, applyCoupon, removeCoupon } = useCart();
  // What has changed, for screen readers.
  const [news, setNews] = useState('');
  useHead({ title: 'Cart', canonical: null });
  useEffect(() => {
    // Stock changes.
    if (key !== null) void refetch({ cancelRefetch: false });
  }, [key?.number]);
  const change = (id: number, name: string, quantity: number): void =>
    setQuantity.mutate(
      { id, quantity },
      {
        onSuccess: () => {
          setNews(quantity === 0 ? `${name} was removed.` : `${quantity} × ${name}.`);
          // The pressed button is gone.
          if (quantity === 0) document.getElementById('content')?.focus({ preventScroll: true });
        },
      },
    );
  if (isError) return <Failure retry={refetch} />;
  if (key !== null && isPending) return <Loading />;
  if (cart === null || cart.line_items.length === 0) return <EmptyCart />;
  return (
    <div class="page">
      <h1>Cart</h1>
      <p class="visually-hidden" role="status">
        {news !== '' && `${news} The total is ${cart.display_total}.`}
      </p>
      <div class="two-columns">
        <div>
          <LineItems order={cart}>
            {({ id, quantity, variant, single_display_amount }) => (
              <span class="line-change">
                <label class="quantity">
                  <span class="visually-hidden">Quantity of {variant.name}</span>
                  <input
                    type="number"
                    min="0"
                    max="999"
                    value={quantity}
                    // A disabled field would lose the focus of the keyboard.
                    readOnly={setQuantity.isPending}
                    onChange={(event) => {
                      const wanted = event.currentTarget.valueAsNumber;
                      if (Number.isInteger(wanted) && wanted >= 0) change(id, variant.name, wanted);
                      else event.currentTarget.value = String(quantity);
                    }}
                  />
                </label>
                <span>× {single_display_amount}</span>
                <button
                  type="button"
                  class="link"
                  disabled={setQuantity.isPending}
                  onClick={() => change(id, variant.name, 0)}
                >
                  Remove<span class="visually-hidden"> {variant.name}</span>
                </button>
              </span>
            )}
          </LineItems>
          <div role="alert">
            {setQuantity.isError && <p class="notice notice-bad">{describeError(setQuantity.error)}</p>}
          </div>
        </div>
        <aside class="summary">
          <Totals order={cart} />
          <Coupons key={cart.number} apply={applyCoupon} remove={removeCoupon} codes={codes} />
          <Link href="/checkout" class="button wide">
            Check out
          </Link>
        </aside>
      </div>
    </div>
  );
}

function EmptyCart() {
  return (
    <div class="page narrow">
      <h1>Your cart is empty</h1>
      <Link href="/" class="button">
        To the shop
      </Link>
    </div>
  );
}

interface CouponsProps {
  apply: ReturnType<typeof useCart>['applyCoupon'];
  remove: ReturnType<typeof useCart>['removeCoupon'];
  /** The codes of the cart. */
  codes: readonly string[];
}

function Coupons({ apply, remove, codes }: CouponsProps) {
  const [code, setCode] = useState('');
  const error = apply.error ?? remove.error;
  return (
    <form
      class="coupon"
      onSubmit={(event) => {
        event.preventDefault();
        const entered = code.trim();
        if (entered !== '') apply.mutate(entered, { onSuccess: () => setCode('') });
      }}
    >
      {codes.length > 0 && (
        <ul class="coupons" aria-label="Coupons of this cart">
          {codes.map((applied) => (
            <li key={applied}>
              {applied}
              <button
                type="button"
                class="link"
                disabled={remove.isPending}
                onClick={() => remove.mutate(applied)}
              >
                Remove<span class="visually-hidden"> the code {applied}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <label>
        Coupon code
        <input value={code} maxLength={100} onInput={(event) => setCode(event.currentTarget.value)} />
      </label>
      <button class="button-quiet" disabled={apply.isPending}>
        Apply
      </button>
      <div role="status">
        {apply.isSuccess && <p class="notice notice-good">{apply.data.success ?? 'The code was applied.'}</p>}
        {error !== null && <p class="notice notice-bad">{describeError(error)}</p>}
      </div>
    </form>
  );
}
