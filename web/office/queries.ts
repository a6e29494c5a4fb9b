import { queryOptions } from '@tanstack/preact-query';
import { unwrap, type RecordOf } from 'store-api-client';
import { readConfig } from '../shared/config';
import { store } from './office';

const HOUR_MS = 3_600_000;

export const countriesQuery = queryOptions({
  queryKey: ['countries'],
  queryFn: async () =>
    (await unwrap(store.GET('/api/v1/countries', { params: { query: { per_page: 300 } } }))).countries,
  staleTime: HOUR_MS,
});

/** The stock locations, the default one first. */
export const locationsQuery = queryOptions({
  queryKey: ['locations'],
  queryFn: async () => {
    const { stock_locations } = await unwrap(
      store.GET('/api/v1/stock_locations', { params: { query: { per_page: 100 } } }),
    );
    return stock_locations.toSorted((one, other) => Number(other.default) - Number(one.default));
  },
  staleTime: 60_000,
});

const SMALL = { params: { query: { per_page: 200 } } } as const;
const MINUTE_MS = 60_000;

export const zonesQuery = queryOptions({
  queryKey: ['zones'],
  queryFn: async () => (await unwrap(store.GET('/api/v1/zones', SMALL))).zones,
  staleTime: MINUTE_MS,
});

export const taxCategoriesQuery = queryOptions({
  queryKey: ['tax-categories'],
  queryFn: async () => (await unwrap(store.GET('/api/v1/tax_categories', SMALL))).tax_categories,
  staleTime: MINUTE_MS,
});

/** What all staff may know of the default store, and how it shows amounts. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: () => readConfig(store),
  staleTime: MINUTE_MS,
});

export const storesQuery = queryOptions({
  queryKey: ['stores'],
  queryFn: async () => (await unwrap(store.GET('/api/v1/stores'))).stores,
  staleTime: MINUTE_MS,
});

export const undeliveredMailsQuery = queryOptions({
  queryKey: ['mails', 'undelivered'],
  queryFn: () => unwrap(store.GET('/api/v1/undelivered_mails')),
});

/** The states of all countries. */
export const statesQuery = queryOptions({
  queryKey: ['states'],
  queryFn: async () => (await unwrap(store.GET('/api/v1/states'))).states,
  staleTime: MINUTE_MS,
});

export const optionTypesQuery = queryOptions({
  queryKey: ['option-types'],
  queryFn: () => unwrap(store.GET('/api/v1/option_types')),
  staleTime: MINUTE_MS,
});

/** All categories, without their trees. */
export const taxonsQuery = queryOptions({
  queryKey: ['taxons'],
  queryFn: async () => {
    const all: RecordOf<'/api/v1/taxons'>[] = [];
    const params = { query: { per_page: 500, without_children: true } };
    for await (const taxon of store.each('/api/v1/taxons', { params })) all.push(taxon);
    return all;
  },
  staleTime: MINUTE_MS,
});

export const shippingCategoriesQuery = queryOptions({
  queryKey: ['shipping-categories'],
  queryFn: async () => (await unwrap(store.GET('/api/v1/shipping_categories', SMALL))).shipping_categories,
  staleTime: MINUTE_MS,
});
