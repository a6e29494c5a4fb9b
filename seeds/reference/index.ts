import type { Knex } from 'knex';
import { requireRow } from '../../src/platform/database/require-row';
import {
  HOME_COUNTRY,
  PAYMENT_METHODS,
  RETURN_REASONS,
  SHIPPING_CATEGORY,
  SHIPPING_METHODS,
  SHIPPING_ZONE,
  STOCK_LOCATION,
  STORE,
  TAX_CATEGORY,
  ZONES,
} from './settings';

export { loadFacts } from './facts';

/** The store is in use if one of these tables has a row. */
const OWNED_TABLES = [
  'stores',
  'zones',
  'tax_categories',
  'shipping_categories',
  'stock_locations',
  'shipping_methods',
  'payment_methods',
  'return_authorization_reasons',
  'products',
];

/**
 * Loads the settings of an empty store: zones, categories, the stock location "default", shipping methods, payment
 * methods, return reasons and the store record. Requires the countries of `loadFacts`.
 *
 * Does nothing and returns false if the store is in use, so it never restores what an owner has deleted. Safe to
 * repeat, and to run on several instances at once. Runs in one transaction.
 */
export async function loadReference(db: Knex): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.raw('LOCK TABLE stores IN SHARE ROW EXCLUSIVE MODE');
    if (await isInUse(tx)) return false;
    await insertZones(tx);
    const shippingCategoryId = await insertReturningId(tx, 'shipping_categories', SHIPPING_CATEGORY);
    await insertReturningId(tx, 'tax_categories', TAX_CATEGORY);
    await insertShippingMethods(tx, shippingCategoryId);
    await tx('payment_methods').insert(
      PAYMENT_METHODS.map((method, index) => ({ ...method, position: index + 1 })),
    );
    await tx('return_authorization_reasons').insert(RETURN_REASONS.map((name) => ({ name })));
    const { id: country_id } = await tx('countries').where({ iso: HOME_COUNTRY }).first<{ id: number }>('id');
    await tx('stock_locations').insert({ ...STOCK_LOCATION, country_id });
    await tx('stores').insert({ ...STORE, default_country_id: country_id });
    return true;
  });
}

async function isInUse(tx: Knex.Transaction): Promise<boolean> {
  const anyRow = OWNED_TABLES.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
  const result = await tx.raw<{ rows: { in_use: boolean }[] }>(`SELECT ${anyRow} AS in_use`);
  return result.rows[0]?.in_use ?? true;
}

async function insertZones(tx: Knex.Transaction): Promise<void> {
  for (const { countries, ...zone } of ZONES) {
    const zoneId = await insertReturningId(tx, 'zones', zone);
    await tx.raw(
      `INSERT INTO zone_members (zone_id, country_id)
       SELECT ?, id FROM countries WHERE iso = ANY(?) ORDER BY iso`,
      [zoneId, countries],
    );
  }
}

async function insertShippingMethods(tx: Knex.Transaction, shippingCategoryId: number): Promise<void> {
  const zone = await tx('zones').where({ name: SHIPPING_ZONE }).first<{ id: number }>('id');
  for (const { name, amount } of SHIPPING_METHODS) {
    const shipping_method_id = await insertReturningId(tx, 'shipping_methods', {
      name,
      calculator_type: 'flat_rate',
      calculator_preferences: JSON.stringify({ amount, currency: 'USD' }),
    });
    await tx('shipping_method_zones').insert({ shipping_method_id, zone_id: zone.id });
    await tx('shipping_method_categories').insert({
      shipping_method_id,
      shipping_category_id: shippingCategoryId,
    });
  }
}

async function insertReturningId(tx: Knex.Transaction, table: string, row: object): Promise<number> {
  return requireRow(await tx(table).insert(row).returning<{ id: number }[]>('id')).id;
}
