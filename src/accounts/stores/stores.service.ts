import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import {
  clearDefault,
  deleteStore,
  findDefaultStore,
  findStore,
  findStores,
  insertStore,
  lockStores,
  updateStore,
  type StoreRow,
  type StoreValues,
} from './stores.repository';
import type { StoreAttributes, StoreChanges } from './stores.schema';

/** All stores, by id. */
export async function listStores(ctx: Ctx): Promise<StoreRow[]> {
  return findStores(ctx.db);
}

/** @throws NotFound */
export async function getStore(ctx: Ctx, id: number): Promise<StoreRow> {
  return loadStore(ctx.db, id);
}

async function loadStore(db: Ctx['db'], id: number): Promise<StoreRow> {
  const store = await findStore(db, id);
  if (store === undefined) throw new NotFound();
  return store;
}

/** What holds before anybody has set a store up; the same as the columns' own defaults. */
const NO_STORE = { currency: 'USD', default_country_id: null };

/** The settings of the default store that clients ask for. */
export async function getStoreConfig(ctx: Ctx): Promise<Pick<StoreRow, 'currency' | 'default_country_id'>> {
  return (await findDefaultStore(ctx.db)) ?? NO_STORE;
}

/** Makes a store. The first one is the default; a later one that asks for it takes its place. @throws InvalidResource */
export async function createStore(ctx: Ctx, attributes: StoreAttributes): Promise<StoreRow> {
  const { name, url, code, mail_from_address } = attributes;
  return withTransaction(ctx, async (tx) => {
    await lockStores(tx);
    const is_default = attributes.is_default === true || (await findDefaultStore(tx)) === undefined;
    if (is_default) await clearDefault(tx);
    const id = await insertStore(tx, {
      ...{ name, url, code, mail_from_address },
      ...{ meta_description: null, meta_keywords: null, seo_title: null, default_country_id: null },
      ...settingsFrom(attributes),
      is_default,
    });
    return loadStore(tx, id);
  });
}

/**
 * Changes a store. There is always a default one: it stays so until another one takes its place.
 * @throws NotFound, InvalidResource
 */
export async function changeStore(ctx: Ctx, id: number, changes: StoreChanges): Promise<StoreRow> {
  const { name, url, code, mail_from_address } = changes;
  return withTransaction(ctx, async (tx) => {
    await lockStores(tx);
    const store = await loadStore(tx, id);
    const takesOver = changes.is_default === true && !store.is_default;
    if (takesOver) await clearDefault(tx);
    await updateStore(tx, id, {
      ...defined({ name, url, code, mail_from_address }),
      ...settingsFrom(changes),
      ...(takesOver && { is_default: true }),
    });
    return loadStore(tx, id);
  });
}

/** @throws NotFound; InvalidResource for the default store */
export async function removeStore(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    await lockStores(tx);
    const store = await loadStore(tx, id);
    if (store.is_default) throw new InvalidResource({ base: ['Cannot destroy the default Store.'] });
    await deleteStore(tx, id);
  });
}

/** What is given of everything that has a value of its own when it is left out. */
function settingsFrom(attributes: StoreChanges): Partial<StoreValues> {
  const { meta_description, meta_keywords, seo_title, default_country_id } = attributes;
  const { track_inventory_levels, auto_capture, auto_capture_on_dispatch, tax_using_ship_address } =
    attributes;
  // Null cannot clear a switch: it leaves it as it is.
  const switches = {
    track_inventory_levels: track_inventory_levels ?? undefined,
    auto_capture: auto_capture ?? undefined,
    auto_capture_on_dispatch: auto_capture_on_dispatch ?? undefined,
    tax_using_ship_address: tax_using_ship_address ?? undefined,
  };
  return {
    ...defined({ meta_description, meta_keywords, seo_title, default_country_id }),
    ...defined(switches),
    ...defined({ currency: currencyFrom(attributes) }),
  };
}

function currencyFrom({ currency }: StoreChanges): string | undefined {
  if (currency === undefined || currency === null || currency === '') return undefined;
  const code = currency.toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code)) throw new InvalidResource({ currency: [INVALID] });
  return code;
}
