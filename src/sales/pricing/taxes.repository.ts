import { groupBy } from '../../platform/group-by';
import type { ZoneFacts, ZoneMember } from '../../geography/zones/zone-matching';
import { keepByRevision } from '../../geography/reference-revisions.repository';
import type { Db } from '../../platform/database/knex';
import type { TaxRateFacts } from './tax-rules';

/** The tax rates of the shop, the zones that may apply to an order, and the default tax category. */
export interface TaxSettings {
  rates: TaxRateFacts[];
  zones: ZoneFacts[];
  default_tax_category_id: number | null;
  /** Whether the ship address determines the zone; else the bill address does. */
  uses_ship_address: boolean;
  /** The tax category of each shipping method, by id; null means untaxed. */
  method_categories: Readonly<Record<number, number | null>>;
}

interface LoadedSettings {
  rates: (Omit<TaxRateFacts, 'zone'> & { zone_id: number | null })[] | null;
  zones: { id: number; default_tax: boolean }[] | null;
  members: (ZoneMember & { zone_id: number })[] | null;
  default_tax_category_id: number | null;
  uses_ship_address: boolean | null;
  method_categories: Record<number, number | null> | null;
}

/** Returns the tax settings, kept in memory. `zones` is empty if there are no tax rates. */
export const getTaxSettings = keepByRevision('taxes', loadTaxSettings);

async function loadTaxSettings(db: Db): Promise<TaxSettings> {
  const loaded = await db.raw<{ rows: LoadedSettings[] }>(`
    WITH live AS (
      SELECT r.id, r.name, r.amount::text, r.included_in_price, r.show_rate_in_label, r.tax_category_id, r.zone_id,
             c.name AS tax_category_name
        FROM tax_rates r JOIN tax_categories c ON c.id = r.tax_category_id AND c.deleted_at IS NULL
       WHERE r.deleted_at IS NULL)
    SELECT (SELECT json_agg(live ORDER BY id) FROM live) AS rates,
           (SELECT json_agg(z) FROM (SELECT id, default_tax FROM zones WHERE EXISTS (SELECT 1 FROM live) ORDER BY id) z)
             AS zones,
           (SELECT json_agg(m) FROM (
              SELECT zone_members.zone_id, zone_members.country_id, zone_members.state_id,
                     states.country_id AS state_country_id
                FROM zone_members LEFT JOIN states ON states.id = zone_members.state_id
               WHERE EXISTS (SELECT 1 FROM live)) m) AS members,
           (SELECT id FROM tax_categories WHERE is_default AND deleted_at IS NULL) AS default_tax_category_id,
           (SELECT tax_using_ship_address FROM stores WHERE is_default) AS uses_ship_address,
           (SELECT json_object_agg(id, tax_category_id) FROM shipping_methods) AS method_categories`);
  const row = loaded.rows[0];
  const membersOf = groupBy(row?.members ?? [], (member) => member.zone_id);
  const zones = (row?.zones ?? []).map((zone) => ({ ...zone, members: membersOf.get(zone.id) ?? [] }));
  const zoneById = new Map(zones.map((zone) => [zone.id, zone]));
  return {
    zones,
    rates: (row?.rates ?? []).map((rate) => ({ ...rate, zone: zoneById.get(rate.zone_id ?? 0) ?? null })),
    default_tax_category_id: row?.default_tax_category_id ?? null,
    uses_ship_address: row?.uses_ship_address ?? true,
    method_categories: row?.method_categories ?? {},
  };
}

/** Returns the tax category of each variant: its own, else that of its product, else null. */
export async function findTaxCategories(
  db: Db,
  variantIds: readonly number[],
): Promise<Map<number, number | null>> {
  const found = await db.raw<{ rows: { id: number; tax_category_id: number | null }[] }>(
    `SELECT variants.id, coalesce(variants.tax_category_id, products.tax_category_id) AS tax_category_id
       FROM variants JOIN products ON products.id = variants.product_id WHERE variants.id = ANY(?::integer[])`,
    [[...variantIds]],
  );
  return new Map(found.rows.map((row) => [row.id, row.tax_category_id]));
}
