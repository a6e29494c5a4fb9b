import { unwrap, type StoreClient } from 'store-api-client';

/** Reads what everyone may know of the default store, and how it shows amounts. */
export async function readConfig(store: StoreClient) {
  const [config, money] = await Promise.all([
    unwrap(store.GET('/api/v1/config/store')),
    unwrap(store.GET('/api/v1/config/money')),
  ]);
  return { ...config, money: { ...money, currency: config.currency } };
}
