import { useEffect, useRef, useState } from 'preact/hooks';
import type { Variant } from 'store-api-client';
import { Link } from 'wouter-preact';
import { describeError } from '../../shared/messages';
import { useCart } from '../cart';
import { UNRESTORED } from '../unrestored';

const FEW = 5;

/** The availability of a variant, and the form that adds it to the cart. */
export function AddToCart({ variant }: { variant: Variant | undefined }) {
  const { add } = useCart();
  const [quantity, setQuantity] = useState('1');
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the button may be at the end of the screen.
    if (add.isSuccess || add.isError) result.current?.scrollIntoView({ block: 'nearest' });
  }, [add.isSuccess, add.isError]);
  if (variant === undefined) return <p class="stock stock-out">This combination is not made.</p>;
  const { id, is_orderable, in_stock, total_on_hand, track_inventory } = variant;
  const hasFew = track_inventory && in_stock && total_on_hand !== null && total_on_hand <= FEW;
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ variantId: id, quantity: Number(quantity) });
      }}
    >
      <p class={is_orderable ? 'stock' : 'stock stock-out'}>
        {!is_orderable
          ? 'Sold out'
          : !in_stock
            ? 'Back in stock soon; you can order it now.'
            : hasFew
              ? `Only ${total_on_hand} left`
              : 'In stock'}
      </p>
      <div class="add-row">
        <label class="quantity">
          <span class="visually-hidden">Quantity</span>
          <input
            type="number"
            {...UNRESTORED}
            min="1"
            max="999"
            required
            value={quantity}
            onInput={(event) => setQuantity(event.currentTarget.value)}
          />
        </label>
        <button class="button" disabled={!is_orderable || add.isPending}>
          {add.isPending ? 'Adding…' : 'Add to cart'}
        </button>
      </div>
      <div role="status" ref={result}>
        {add.isSuccess && (
          <p class="notice notice-good">
            Added to your cart. <Link href="/cart">View the cart</Link>
          </p>
        )}
        {add.isError && <p class="notice notice-bad">{describeError(add.error)}</p>}
      </div>
    </form>
  );
}
