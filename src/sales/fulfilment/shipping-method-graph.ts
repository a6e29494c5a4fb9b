import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import type { ZoneMember } from '../../geography/zones/zone-matching';
import { keepByRevision } from '../../geography/reference-revisions.repository';
import type { CalculatorType } from './calculators';

export interface ShippingZone {
  id: number;
  name: string;
  description: string | null;
  default_tax: boolean;
  members: (ZoneMember & { id: number })[];
}

/** A shipping method with its zones and shipping categories, for the estimator and for replies. */
export interface ShippingMethodGraph {
  id: number;
  name: string;
  code: string | null;
  admin_name: string | null;
  tracking_url: string | null;
  display_on: 'both' | 'back_end';
  is_deleted: boolean;
  tax_category_id: number | null;
  calculator_type: CalculatorType;
  calculator_preferences: unknown;
  shipping_categories: { id: number; name: string }[];
  zones: ShippingZone[];
}

const METHOD = `
  SELECT m.id, m.name, m.code, m.admin_name, m.tracking_url, m.display_on, m.deleted_at IS NOT NULL AS is_deleted,
         m.tax_category_id, m.calculator_type, m.calculator_preferences,
         coalesce((SELECT json_agg(json_build_object('id', c.id, 'name', c.name) ORDER BY c.id)
            FROM shipping_method_categories mc JOIN shipping_categories c ON c.id = mc.shipping_category_id
           WHERE mc.shipping_method_id = m.id), '[]') AS shipping_categories,
         coalesce((SELECT json_agg(json_build_object(
               'id', z.id, 'name', z.name, 'description', z.description, 'default_tax', z.default_tax,
               'members', coalesce((SELECT json_agg(json_build_object('id', zm.id, 'country_id', zm.country_id,
                    'state_id', zm.state_id, 'state_country_id', s.country_id) ORDER BY zm.id)
                  FROM zone_members zm LEFT JOIN states s ON s.id = zm.state_id WHERE zm.zone_id = z.id), '[]'))
             ORDER BY z.id)
            FROM shipping_method_zones mz JOIN zones z ON z.id = mz.zone_id
           WHERE mz.shipping_method_id = m.id), '[]') AS zones
    FROM shipping_methods m`;

const METHODS_BY_ID = { name: 'shipping_methods', sql: `${METHOD} WHERE m.id = ANY(?::integer[])` };

const ALL_METHODS = { name: 'all_shipping_methods', sql: `${METHOD} ORDER BY m.id` };

/** Returns all shipping methods, by id. Includes deleted ones, which old shipments still show. Kept in memory. */
export const getShippingMethods = keepByRevision('shipping_methods', async (db) => {
  const methods = await queryPrepared<ShippingMethodGraph>(db, ALL_METHODS, []);
  return new Map(methods.map((method) => [method.id, method]));
});

/** Returns shipping methods by id. Includes deleted methods, which old shipments still show. One statement. */
export async function findShippingMethods(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ShippingMethodGraph>> {
  if (ids.length === 0) return new Map();
  const methods = await queryPrepared<ShippingMethodGraph>(db, METHODS_BY_ID, [[...ids]]);
  return new Map(methods.map((method) => [method.id, method]));
}
