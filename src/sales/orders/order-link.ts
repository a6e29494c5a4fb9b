import { buildStoreUrl, type Sender } from '../../accounts/stores/sender';

/** Builds the link of an order from `order_url` of the store, by default a page of the storefront. */
export function buildOrderLink(store: Sender, number: string, token: string): string {
  const template = store.order_url ?? buildStoreUrl(store, '/orders/{number}?order_token={token}');
  return template
    .replaceAll('{number}', () => encodeURIComponent(number))
    .replaceAll('{token}', () => encodeURIComponent(token));
}
