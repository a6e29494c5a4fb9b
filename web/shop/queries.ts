import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import {
  StoreError,
  unwrap,
  type OptionValue,
  type Order,
  type Product,
  type StoreClient,
  type TaxonTree,
} from 'store-api-client';
import { readConfig } from '../shared/config';
import { wayTo } from './categories';
import { readFilters, toQuery } from './filters';
import { keepBought, keptCart, tokenOf, type CartKey, type Shop } from './shop';

/*
 * What the pages read. Queries that the server can prefetch depend on the address of the page only.
 */

const PER_PAGE = 24;
const RELATED = 4;
const CARD_FIELDS =
  'id,name,slug,price_range,in_stock,master.images.urls,master.images.alt,variants.images.urls,variants.images.alt';
/** What tells which variants have the values that a list is filtered by. */
const VALUE_FIELDS = 'variants.option_values.name,variants.option_values.option_type_name';

/** A product as lists show it. */
export type ListedProduct = Pick<Product, 'id' | 'name' | 'slug' | 'price_range' | 'in_stock'> & {
  master: { images: Picture[] };
  variants: { images: Picture[]; option_values?: Pick<OptionValue, 'name' | 'option_type_name'>[] }[];
};

export interface Picture {
  alt: string | null;
  urls: { width: number; url: string }[];
}

/** Whether a record does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof StoreError && error.status === 404;

export const settingsQuery = ({ store }: Shop) =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: () => readConfig(store),
    staleTime: Infinity,
  });

/** A taxonomy with its first level. */
export interface Tree {
  id: number;
  name: string;
  taxons: { id: number; name: string; permalink: string }[];
}

const toTree = ({ id, name, taxons = [] }: TaxonTree): Tree => ({
  id,
  name,
  taxons: taxons.map((taxon) => ({ id: taxon.id, name: taxon.name, permalink: taxon.permalink })),
});

/** The taxonomies, the first one made first. */
export const taxonomiesQuery = ({ store }: Shop) =>
  queryOptions({
    queryKey: ['taxonomies'],
    queryFn: async (): Promise<Tree[]> => {
      const { taxonomies } = await unwrap(
        store.GET('/api/v1/taxonomies', { params: { query: { set: 'nested', per_page: 50 } } }),
      );
      return taxonomies.map(({ root }) => toTree(root)).sort((one, other) => one.id - other.id);
    },
    staleTime: 5 * 60_000,
  });

export const taxonQuery = ({ store }: Shop, permalink: string) =>
  queryOptions({
    queryKey: ['taxon', permalink],
    queryFn: () =>
      unwrap(store.GET('/api/v1/taxons/by_permalink/{permalink}', { params: { path: { permalink } } })),
    staleTime: 5 * 60_000,
  });

/** Products of an address: page by page, with the counts of the filters. */
export const productsQuery = ({ store }: Shop, taxon: string | null, search: string) => {
  const query = toQuery(readFilters(new URLSearchParams(search)));
  const first = Number(new URLSearchParams(search).get('page')) || 1;
  return infiniteQueryOptions({
    queryKey: ['products', taxon, query, first],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        store.GET('/api/v1/products', {
          params: {
            query: {
              ...query,
              ...(taxon !== null && { taxon }),
              ...(pageParam === first && { facets: 'options,price,in_stock' }),
              fields: 'option' in query ? `${CARD_FIELDS},${VALUE_FIELDS}` : CARD_FIELDS,
              per_page: PER_PAGE,
              page: pageParam,
            },
          },
          signal,
        }),
      ),
    initialPageParam: first,
    getNextPageParam: ({ current_page, pages }) => (current_page < pages ? current_page + 1 : undefined),
    staleTime: 60_000,
  });
};

/** A row of products for the home page. */
export const rowQuery = ({ store }: Shop, sort: 'best_selling' | 'newest') =>
  queryOptions({
    queryKey: ['row', sort],
    queryFn: async () => {
      const { products } = await unwrap(
        store.GET('/api/v1/products', {
          params: { query: { q: { s: sort }, in_stock: true, per_page: 9, fields: CARD_FIELDS } },
        }),
      );
      return products;
    },
    staleTime: 60_000,
  });

export const productQuery = ({ store }: Shop, slug: string) =>
  queryOptions({
    queryKey: ['product', slug],
    queryFn: () => unwrap(store.GET('/api/v1/products/{id}', { params: { path: { id: slug } } })),
    staleTime: 30_000,
  });

/** Products to show beside a product: its relations, else others of its category. */
export const relatedQuery = ({ store }: Shop, product: Pick<Product, 'id' | 'classifications'>) =>
  queryOptions({
    queryKey: ['related', product.id],
    queryFn: async () => {
      const { products } = await unwrap(
        store.GET('/api/v1/products/{product_id}/related', {
          params: { path: { product_id: product.id }, query: { per_page: RELATED, fields: CARD_FIELDS } },
        }),
      );
      if (products.length > 0) return products;
      const found = new Map<number, ListedProduct>();
      // The nearest category first.
      for (const { permalink } of wayTo(product).reverse()) {
        const query = { taxon: permalink, per_page: RELATED + 1, fields: CARD_FIELDS };
        const near = await unwrap(store.GET('/api/v1/products', { params: { query } }));
        for (const one of near.products) if (one.id !== product.id) found.set(one.id, one);
        if (found.size >= RELATED) break;
      }
      return [...found.values()].slice(0, RELATED);
    },
    staleTime: 60_000,
  });

export const suggestQuery = ({ store }: Shop, search: string) =>
  queryOptions({
    queryKey: ['suggest', search],
    queryFn: ({ signal }) =>
      unwrap(store.GET('/api/v1/products/suggest', { params: { query: { search } }, signal })),
    enabled: search.length > 1,
    staleTime: 60_000,
  });

/**
 * Returns an incomplete order of this browser; null if it is complete, which is kept, missing or of another customer.
 * @throws StoreError for any other refusal, which does not mean that the cart is gone
 */
export async function findCart({ storeFor }: Shop, { number, token }: CartKey): Promise<Order | null> {
  const params = { path: { number } };
  const reply = await storeFor(token).GET('/api/v1/orders/{number}', { params });
  if ([401, 403, 404].includes(reply.response.status)) return null;
  const order = await unwrap(Promise.resolve(reply));
  if (order.completed_at === null) return order;
  // An event of the provider has completed it, as while the buyer was at the page of the bank.
  if (keptCart.get()?.number === number) keepBought(number, token);
  return null;
}

/** The cart; null if there is none. */
export const cartQuery = (shop: Shop, key: CartKey | null) =>
  queryOptions({
    queryKey: ['cart', key?.number ?? null],
    queryFn: () => (key === null ? null : findCart(shop, key)),
    staleTime: 10_000,
  });

/** The first picture of each of these products: lines of orders have those of their variants only. */
export const picturesQuery = ({ store }: Shop, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['pictures', ids],
    queryFn: async (): Promise<ReadonlyMap<number, Picture | undefined>> => {
      const fields = 'id,master.images.urls,master.images.alt';
      const { products } = await unwrap(
        store.GET('/api/v1/products', {
          params: { query: { ids: [...ids], per_page: ids.length, fields } },
        }),
      );
      return new Map(products.map(({ id, master }) => [id, master.images[0]]));
    },
    enabled: ids.length > 0,
    staleTime: Infinity,
  });

export const orderQuery = ({ storeFor }: Shop, number: string) =>
  queryOptions({
    queryKey: ['order', number],
    queryFn: () =>
      unwrap(storeFor(tokenOf(number)).GET('/api/v1/orders/{number}', { params: { path: { number } } })),
  });

/** The invoice of a complete order, its corrections and credit notes. */
export const documentsQuery = ({ storeFor }: Shop, number: string) =>
  queryOptions({
    queryKey: ['documents', number],
    queryFn: async () => {
      const params = { path: { number } };
      const store = storeFor(tokenOf(number));
      return (await unwrap(store.GET('/api/v1/orders/{number}/documents', { params }))).documents;
    },
  });

/** The payment methods of an order, with what the page scripts of their providers need. */
export const paymentMethodsQuery = (store: StoreClient, number: string) =>
  queryOptions({
    queryKey: ['payment methods', number],
    queryFn: async () => {
      const params = { path: { number } };
      return (await unwrap(store.GET('/api/v1/orders/{number}/payments/new', { params }))).payment_methods;
    },
    staleTime: 60_000,
  });

/** The saved cards of the customer. */
export const ownCardsQuery = ({ store }: Shop, isSignedIn: boolean) =>
  queryOptions({
    queryKey: ['own cards'],
    queryFn: async () => (await unwrap(store.GET('/api/v1/users/me/credit_cards'))).credit_cards,
    enabled: isSignedIn,
  });

/** The account of the customer. */
export const ownAccountQuery = ({ store }: Shop, isSignedIn: boolean) =>
  queryOptions({
    queryKey: ['own account'],
    queryFn: () => unwrap(store.GET('/api/v1/users/me')),
    enabled: isSignedIn,
  });

/** The saved addresses of the customer. */
export const ownAddressesQuery = ({ store }: Shop, isSignedIn: boolean) =>
  queryOptions({
    queryKey: ['own addresses'],
    queryFn: async () => (await unwrap(store.GET('/api/v1/users/me/addresses'))).addresses,
    enabled: isSignedIn,
  });

export const countriesQuery = ({ store }: Shop) =>
  queryOptions({
    queryKey: ['countries'],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/countries', { params: { query: { per_page: 500 } } }))).countries,
    staleTime: Infinity,
  });

export const statesQuery = ({ store }: Shop, countryId: number) =>
  queryOptions({
    queryKey: ['states', countryId],
    queryFn: async () =>
      (
        await unwrap(
          store.GET('/api/v1/countries/{country_id}/states', {
            params: { path: { country_id: countryId }, query: { per_page: 500 } },
          }),
        )
      ).states,
    enabled: countryId > 0,
    staleTime: Infinity,
  });
