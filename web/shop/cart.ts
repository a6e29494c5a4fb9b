import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { StoreError, unwrap, type Order } from 'store-api-client';
import { OwnRefusal } from '../shared/messages';
import { useOnce } from '../shared/use-once';
import { findWaiting } from './payment-state';
import { cartQuery, findCart, isMissing } from './queries';
import { keptBought, keptCart, keptCoupons, keptSignIn, useShop, type Shop } from './shop';

/** Returns the cart of this browser, or creates one. Customers continue with the cart of their account. */
async function openCart(shop: Shop): Promise<Order> {
  const key = keptCart.get();
  if (key !== null) {
    const cart = await findCart(shop, key);
    if (cart !== null) return cart;
  }
  if (keptSignIn.get() !== null) {
    const { data } = await shop.store.GET('/api/v1/orders/current');
    if (data != null) return data;
  }
  return unwrap(shop.store.POST('/api/v1/orders'));
}

/** Keeps an order as the cart of this browser. */
export const keepCart = ({ number, token }: Order): void => {
  keptCart.set({ number, token: token ?? null });
  if (keptBought.get() !== null) keptBought.set(null);
};

const WAITS =
  'A payment of your cart waits for its confirmation. Confirm it in the checkout, or choose there to pay in another way. Then you can change the cart.';

const GONE = 'This item is no longer in your cart: it was removed, for example in another tab.';

/** Explains the refusal of a change while a payment of the cart waits. The message of the API would be to try again. */
async function explainWaiting<T>(change: Promise<T>, read: () => Promise<Order>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    const isConflict = error instanceof StoreError && error.status === 409;
    throw isConflict && findWaiting(await read()) !== undefined ? new OwnRefusal(WAITS) : error;
  }
}

/** The cart and what changes it. Each change shows the cart as the store has calculated it. */
export function useCart() {
  const shop = useShop();
  const client = useQueryClient();
  const key = keptCart.use();
  const query = useQuery(cartQuery(shop, key));
  const showCart = (cart: Order): void => {
    keepCart(cart);
    client.setQueryData(['cart', cart.number], cart);
  };
  const path = { number: key?.number ?? '' };
  const store = shop.storeFor(key?.token ?? null);
  const reread = async (): Promise<Order> => {
    const cart = await unwrap(store.GET('/api/v1/orders/{number}', { params: { path } }));
    showCart(cart);
    return cart;
  };

  const add = useOnce({
    mutationFn: async ({ variantId, quantity }: { variantId: number; quantity: number }) => {
      const cart = await openCart(shop);
      showCart(cart);
      const params = { path: { number: cart.number } };
      const mine = shop.storeFor(cart.token ?? null);
      const body = { line_item: { variant_id: variantId, quantity } };
      const read = () => unwrap(mine.GET('/api/v1/orders/{number}', { params }));
      await explainWaiting(unwrap(mine.POST('/api/v1/orders/{number}/line_items', { params, body })), read);
      showCart(await read());
    },
  });
  const setQuantity = useMutation({
    mutationFn: async ({ id, quantity }: { id: number; quantity: number }) => {
      const params = { path: { ...path, id } };
      const change = unwrap(
        quantity > 0
          ? store.PUT('/api/v1/orders/{number}/line_items/{id}', {
              params,
              body: { line_item: { quantity } },
            })
          : store.DELETE('/api/v1/orders/{number}/line_items/{id}', { params }),
      );
      await explainWaiting(change, reread).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        if (quantity > 0) throw new OwnRefusal(GONE);
      });
      await reread();
    },
    // A refused quantity is shown as it was.
    onError: () => void query.refetch(),
  });
  const coupons = keptCoupons.use();
  const codes = coupons !== null && coupons.number === key?.number ? coupons.codes : [];
  const setCoupons = (changed: readonly string[]): void =>
    keptCoupons.set({ number: path.number, codes: changed });
  const applyCoupon = useMutation({
    mutationFn: async (code: string) => {
      const change = unwrap(
        store.PUT('/api/v1/orders/{number}/apply_coupon_code', {
          params: { path },
          body: { coupon_code: code },
        }),
      );
      const result = await explainWaiting(change, reread);
      setCoupons([...codes.filter((one) => one !== code), code]);
      await reread();
      return result;
    },
  });
  const removeCoupon = useMutation({
    mutationFn: async (code: string) => {
      const params = { path: { ...path, code } };
      const change = unwrap(store.DELETE('/api/v1/orders/{number}/coupon_codes/{code}', { params }));
      await explainWaiting(change, reread).catch((error: unknown) => {
        // It has ended, or was removed elsewhere.
        if (!isMissing(error)) throw error;
      });
      setCoupons(codes.filter((one) => one !== code));
      await reread();
    },
    onSuccess: () => applyCoupon.reset(),
  });
  const { isPending, isError, refetch } = query;
  return {
    cart: query.data ?? null,
    key,
    isPending,
    isError,
    refetch,
    showCart,
    store,
    path,
    add,
    setQuantity,
    codes,
    applyCoupon,
    removeCoupon,
  };
}
