import { isFullAdmin } from '../../access/actor';
import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource, NotAuthorized } from '../../platform/errors';
import { isTimeZone } from '../../platform/calendar';
import { isCurrency } from '../../platform/money';
import type { MoneyDisplay } from '../../platform/money-format';
import { isWebAddress } from '../../platform/web-address';
import { findCountryIds } from '../../geography/addresses/resolve-places';
import type { PlaceReference } from '../../geography/countries/select-place';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ChangesOf, ValuesOf } from '../../platform/resource/definition';
import { createUseCases, type UseCasesOf } from '../../platform/resource/use-cases';
import { checkDocumentSettings } from './check-document-settings';
import { Store, type StoreRow } from './stores.definition';
import {
  defaultStore,
  findDefaultStore,
  findStores,
  hasDocuments,
  isTimeZoneOfDatabase,
  storeRecords as rows,
} from './stores.repository';

/** Returns all stores, by id. */
export async function listStores(ctx: Ctx): Promise<StoreRow[]> {
  return findStores(ctx.db);
}

/** The settings before the first store is created, equal to the defaults of the columns. */
const NO_STORE = {
  name: null,
  currency: 'USD',
  time_zone: 'UTC',
  default_country_id: null,
  money_format: null,
};

/** Returns the public settings of the default store. */
export async function getStoreConfig(
  ctx: Ctx,
): Promise<Pick<StoreRow, 'default_country_id' | 'time_zone'> & MoneyDisplay & { name: string | null }> {
  const store = await findDefaultStore(ctx.db);
  return store === undefined ? NO_STORE : { ...store, money_format: store };
}

export const stores: UseCasesOf<Ctx, typeof Store> = {
  ...createUseCases(Store, rows),

  /** The first store is the default; a later one can replace it. */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      authorizeGuarded(ctx, attributes, null);
      await defaultStore.lock(tx);
      const requested = { ...attributes, ...(await readPlaces(tx, attributes)) };
      const values = Store.newValues(requested);
      checkStore(values);
      await checkTimeZone(tx, values, NO_STORE);
      const is_default =
        (attributes.is_default ?? attributes.default) === true || (await findDefaultStore(tx)) === undefined;
      if (is_default) await defaultStore.clear(tx);
      const id = await rows.insert(tx, Store.newValues({ ...requested, is_default }));
      return rows.get(tx, id);
    }),

  /** The default store stays the default until another one replaces it. */
  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      await defaultStore.lock(tx);
      const store = await rows.get(tx, id);
      authorizeGuarded(ctx, changes, store);
      const requested = { ...changes, ...(await readPlaces(tx, changes)) };
      const values = { ...store, ...Store.changedValues(requested) };
      checkStore(values);
      await checkTimeZone(tx, values, store);
      const becomesDefault = (changes.is_default ?? changes.default) === true && !store.is_default;
      if (becomesDefault) await defaultStore.clear(tx);
      const is_default = becomesDefault ? true : undefined;
      await rows.update(tx, id, Store.changedValues({ ...requested, is_default }));
      return rows.get(tx, id);
    }),

  /** The default store and stores that have issued documents cannot be deleted. */
  delete: (ctx, id) =>
    withTransaction(ctx, async (tx) => {
      await defaultStore.lock(tx);
      const store = await rows.get(tx, id);
      if (store.is_default) throw new InvalidResource({ base: ['Cannot destroy the default Store.'] });
      if (await hasDocuments(tx, id))
        throw new InvalidResource({ base: ['Cannot destroy a Store with invoices.'] });
      await rows.delete(tx, id, ctx.now());
    }),
};

/** Whoever changes these could open the accounts of others. Their values where there is none. */
const UNSET = { url: null, mail_from_address: null, order_url: null, require_two_factor: false } as const;
const GUARDED = ['url', 'mail_from_address', 'order_url', 'require_two_factor'] as const;

/**
 * Authorizes the addresses of a store, which links in mails lead to and mails come from, and whether staff need a second
 * factor. `store` is null for a new one.
 * @throws NotAuthorized unless the actor is a full administrator or all stay as they are
 */
function authorizeGuarded(
  { actor }: Pick<Ctx, 'actor'>,
  changes: Partial<Record<(typeof GUARDED)[number], string | boolean | null | undefined>>,
  store: StoreRow | null,
): void {
  if (isFullAdmin(actor)) return;
  const isChanged = GUARDED.some(
    (name) =>
      changes[name] !== undefined && (changes[name] ?? UNSET[name]) !== (store?.[name] ?? UNSET[name]),
  );
  if (isChanged) throw new NotAuthorized();
}

/** Returns the ids of the countries that a request contains, and its currency. @throws InvalidResource for unknown ones */
async function readPlaces(tx: Tx, requested: ChangesOf<typeof Store>) {
  const currency = readCurrency(requested.currency ?? requested.default_currency);
  return { ...(await findCountries(tx, requested)), currency };
}

/** @throws InvalidResource */
function checkStore(store: ValuesOf<typeof Store>): void {
  rejectInvalidFormats(store);
  rejectInvalidOrderUrl(store);
  rejectInvalidProductUrl(store);
  checkDocumentSettings(store);
}

/**
 * Checks a time zone that changes.
 * @throws InvalidResource unless both this program, which dates documents, and the database, which groups reports, know it
 */
async function checkTimeZone(
  tx: Tx,
  { time_zone }: Pick<StoreRow, 'time_zone'>,
  before: Pick<StoreRow, 'time_zone'>,
): Promise<void> {
  if (time_zone === before.time_zone) return;
  const isKnown = isTimeZone(time_zone) && (await isTimeZoneOfDatabase(tx, time_zone));
  if (!isKnown) throw new InvalidResource({ time_zone: [INVALID] });
}

/** @throws InvalidResource for a decimal mark that is also the separator */
function rejectInvalidFormats(store: Pick<StoreRow, 'decimal_mark' | 'thousands_separator'>): void {
  if (store.decimal_mark === store.thousands_separator) {
    throw new InvalidResource({ thousands_separator: ['must differ from the decimal mark'] });
  }
}

/** @throws InvalidResource unless the link has all that a customer needs */
function rejectInvalidOrderUrl({ order_url }: Pick<StoreRow, 'order_url'>): void {
  if (order_url === null) return;
  const hasAll = ['{number}', '{token}'].every((name) => order_url.includes(name));
  if (!isWebAddress(order_url)) throw new InvalidResource({ order_url: [INVALID] });
  if (!hasAll) throw new InvalidResource({ order_url: ['must contain {number} and {token}'] });
}

/** @throws InvalidResource unless the address has the product in it */
function rejectInvalidProductUrl({ product_url }: Pick<StoreRow, 'product_url'>): void {
  if (product_url === null) return;
  if (!isWebAddress(product_url)) throw new InvalidResource({ product_url: [INVALID] });
  if (!product_url.includes('{slug}')) throw new InvalidResource({ product_url: ['must contain {slug}'] });
}

const COUNTRIES = ['default_country_id', 'issuer_country_id'] as const;

/** Returns the ids of the countries that a request contains. @throws InvalidResource for unknown codes and names */
async function findCountries(
  tx: Tx,
  requested: Partial<Record<(typeof COUNTRIES)[number], PlaceReference | null | undefined>>,
): Promise<Partial<Record<(typeof COUNTRIES)[number], number>>> {
  const named = COUNTRIES.flatMap((field) => {
    const country = requested[field];
    return country == null ? [] : [{ field, country }];
  });
  const ids = await findCountryIds(
    tx,
    named.map(({ country }) => country),
  );
  const unknown = named.filter((_country, index) => ids[index] === null);
  if (unknown.length > 0)
    throw new InvalidResource(Object.fromEntries(unknown.map(({ field }) => [field, [INVALID]])));
  return Object.fromEntries(named.map(({ field }, index) => [field, ids[index]]));
}

/** Returns the code in upper case; undefined if it is blank. @throws InvalidResource for an unknown currency */
function readCurrency(currency: string | null | undefined): string | undefined {
  if (currency === undefined || currency === null || currency === '') return undefined;
  const code = currency.toUpperCase();
  if (!isCurrency(code)) throw new InvalidResource({ currency: [INVALID] });
  return code;
}
