import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createStoreClient, type StoreClient } from 'store-api-client';
import { keep } from '../shared/kept';

/** The cart of this browser. */
export interface CartKey {
  number: string;
  /** The token of a guest; null if the account of the customer opens it. */
  token: string | null;
}

export interface SignIn {
  token: string;
}

export const keptCart = keep<CartKey | null>('shop.cart', null);
export const keptSignIn = keep<SignIn | null>('shop.sign-in', null);
/** Tokens of the orders that were bought or looked up here, by number. */
export const keptOrders = keep<Readonly<Record<string, string>>>('shop.orders', {});

/** The order that was bought here last, until another cart begins. */
export const keptBought = keep<string | null>('shop.bought', null);

/** The coupon codes of the cart that were entered here; the order does not list them. */
export const keptCoupons = keep<{ number: string; codes: readonly string[] } | null>('shop.coupons', null);

export interface Shop {
  /** Where the API is; empty for the host of the page. */
  baseUrl: string;
  /** Calls the API as the signed-in customer, or as a guest. */
  store: StoreClient;
  /** The same with the token of an order. */
  storeFor: (orderToken: string | null) => StoreClient;
}

/**
 * Creates the access to the API. A token of a customer that has ended is removed, and the request repeated as a guest.
 * @param send sends requests; defaults to the `fetch` of the platform
 */
export function createShop(baseUrl: string, send = (request: Request) => fetch(request)): Shop {
  const sendAsShopper = async (request: Request): Promise<Response> => {
    const again = request.clone();
    const response = await send(request);
    if (response.headers.get('X-Error-Code') !== 'invalid_api_key') return response;
    if (!request.headers.has('X-Store-Token')) return response;
    keptSignIn.set(null);
    again.headers.delete('X-Store-Token');
    return send(again);
  };
  const storeFor = (orderToken: string | null): StoreClient =>
    createStoreClient({
      baseUrl,
      orderToken,
      token: () => keptSignIn.get()?.token,
      fetch: sendAsShopper,
      warn: false,
    });
  return { baseUrl, storeFor, store: storeFor(null) };
}

export const ShopContext = createContext<Shop>(createShop('http://localhost'));

export const useShop = (): Shop => useContext(ShopContext);

/** Keeps that the cart of this browser was bought: its page opens here, and another cart may begin. */
export function keepBought(number: string, token: string | null): void {
  if (token !== null) keptOrders.set({ ...keptOrders.get(), [number]: token });
  keptCart.set(null);
  keptBought.set(number);
}

/** Returns the token that opens an order here; null for a customer's own one. */
export function tokenOf(number: string): string | null {
  const cart = keptCart.get();
  if (cart?.number === number && cart.token !== null) return cart.token;
  return keptOrders.get()[number] ?? null;
}
