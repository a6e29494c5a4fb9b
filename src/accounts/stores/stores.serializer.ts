import { Store, type StoreJson, type StoreRow } from './stores.definition';

/** Adds the names that older clients use. */
export function serializeStore(store: StoreRow): StoreJson {
  return Store.serialize(store, { default: store.is_default, default_currency: store.currency });
}
