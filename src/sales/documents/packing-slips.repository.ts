import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { shipmentSearch } from '../fulfilment/shipments.search';
import type { DocumentSnapshot, PrintedAddress } from './documents.repository';

/** The settings of the store that packing slips follow. */
export type SlipSettings = Pick<
  DocumentSnapshot,
  'seller' | 'locale' | 'texts' | 'date_format' | 'time_zone'
>;

/** What is in one parcel. */
export interface PackingSlip {
  number: string;
  order_number: string;
  completed_at: string | null;
  shipped_at: string | null;
  tracking: string | null;
  method: string | null;
  stock_location: string;
  instructions: string | null;
  ship_address: PrintedAddress | null;
  lines: { name: string; sku: string; options: string | null; quantity: number }[];
}

export interface PackingSlips {
  settings: SlipSettings;
  slips: PackingSlip[];
}

/** The ship address of the order `o` as a PrintedAddress. */
export const PRINTED_SHIP_ADDRESS = `
  (SELECT jsonb_build_object(
            'firstname', a.firstname, 'lastname', a.lastname, 'company', a.company, 'address1', a.address1,
            'address2', a.address2, 'zipcode', a.zipcode, 'city', a.city, 'state', coalesce(st.abbr, a.state_name), 'state_name', st.name,
            'country', c.name, 'country_iso', c.iso)
     FROM addresses a JOIN countries c ON c.id = a.country_id LEFT JOIN states st ON st.id = a.state_id
    WHERE a.id = o.ship_address_id)`;

/** The options of the variant `variant` as text. */
export const PRINTED_OPTIONS = `
  (SELECT string_agg(t.presentation || ': ' || v.presentation, ', ' ORDER BY t.position, t.id)
     FROM variant_option_values chosen
     JOIN option_values v ON v.id = chosen.option_value_id
     JOIN option_types t ON t.id = v.option_type_id
    WHERE chosen.variant_id = variant.id)`;

const LINES = `
  (SELECT coalesce(json_agg(line ORDER BY line.name, line.sku), '[]')
     FROM (SELECT product.name, variant.sku, count(*)::integer AS quantity,
                  ${PRINTED_OPTIONS} AS options
             FROM inventory_units unit
             JOIN variants variant ON variant.id = unit.variant_id
             JOIN products product ON product.id = variant.product_id
            WHERE unit.shipment_id = s.id
            GROUP BY product.name, variant.id) line)`;

const SLIPS = `
  SELECT s.number, o.number AS order_number, to_json(o.completed_at) AS completed_at, to_json(s.shipped_at) AS shipped_at,
         s.tracking, method.name AS method, location.name AS stock_location, o.special_instructions AS instructions,
         ${PRINTED_SHIP_ADDRESS} AS ship_address, ${LINES} AS lines
    FROM shipments s
    JOIN orders o ON o.id = s.order_id
    JOIN stock_locations location ON location.id = s.stock_location_id
    LEFT JOIN shipping_rates rate ON rate.shipment_id = s.id AND rate.selected
    LEFT JOIN shipping_methods method ON method.id = rate.shipping_method_id
   WHERE s.id = ANY (?)
   ORDER BY array_position(?::integer[], s.id)`;

const SETTINGS = {
  name: 'print_settings',
  sql: `
  SELECT json_build_object(
           'name', s.name, 'url', s.url, 'email', s.mail_from_address, 'issuer', s.invoice_issuer, 'legal_name', s.issuer_name,
           'address1', s.issuer_address1, 'address2', s.issuer_address2, 'zipcode', s.issuer_zipcode, 'city', s.issuer_city,
           'state', s.issuer_state_name, 'country_iso', c.iso, 'phone', s.issuer_phone, 'footer', s.document_footer, 'logo', s.document_logo) AS seller,
         s.document_locale AS locale, s.document_texts AS texts, s.date_format, s.time_zone
    FROM stores s LEFT JOIN countries c ON c.id = coalesce(s.issuer_country_id, s.default_country_id) WHERE s.is_default`,
};

const NO_STORE: SlipSettings = {
  seller: null,
  locale: 'en',
  texts: {},
  date_format: 'YYYY-MM-DD',
  time_zone: 'UTC',
};

/** Loads the packing slips of these shipments, in this order. Two statements. */
export async function loadPackingSlips(db: Db, ids: readonly number[]): Promise<PackingSlips> {
  const slips = await db.raw<{ rows: PackingSlip[] }>(SLIPS, [[...ids], [...ids]]);
  return { settings: await findPrintSettings(db), slips: slips.rows };
}

/** Returns the language and the formats of the default store, and how it is printed. */
export async function findPrintSettings(db: Db): Promise<SlipSettings> {
  const [settings] = await queryPrepared<SlipSettings>(db, SETTINGS, []);
  return settings ?? NO_STORE;
}

/**
 * Returns the ids of the shipments of complete orders that match a list, by id, at most one more than `limit`. Canceled ones without
 * units contain nothing to pack.
 */
export async function findShipmentIds(db: Db, list: ListQuery, limit: number): Promise<number[]> {
  return applyFilters(db('shipments'), list, shipmentSearch)
    .whereRaw(
      'EXISTS (SELECT FROM orders sold WHERE sold.id = shipments.order_id AND sold.completed_at IS NOT NULL)',
    )
    .whereRaw(
      "(shipments.state <> 'canceled' OR EXISTS (SELECT FROM inventory_units WHERE inventory_units.shipment_id = shipments.id))",
    )
    .orderBy('shipments.id')
    .limit(limit + 1)
    .pluck<number[]>('shipments.id');
}
