import { z } from 'zod';
import {
  boolean,
  createSchema,
  longText,
  reference,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';

export const StoreJson = z
  .object({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    code: z.string(),
    mail_from_address: z.string(),
    meta_description: z.string().nullable(),
    meta_keywords: z.string().nullable(),
    seo_title: z.string().nullable(),
    is_default: z.boolean().meta({ description: 'Whether its settings are the ones in force.' }),
    currency: z.string().meta({ description: 'Of new orders and of prices; ISO 4217.' }),
    default_country_id: z.int().nullable(),
    track_inventory_levels: z.boolean().meta({ description: 'Whether stock is counted at all.' }),
    auto_capture: z.boolean().meta({ description: 'Whether payments are captured when an order completes.' }),
    auto_capture_on_dispatch: z
      .boolean()
      .meta({ description: 'Whether shipping captures what was authorized.' }),
    tax_using_ship_address: z
      .boolean()
      .meta({ description: 'Whether taxes follow the ship address rather than the bill address.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Store' });

export type StoreJson = z.output<typeof StoreJson>;

const fields = {
  name: text({ trim: true }),
  url: text({ trim: true }),
  code: text({ trim: true }),
  mail_from_address: text({ trim: true }),
  meta_description: longText(),
  meta_keywords: text(),
  seo_title: text(),
  is_default: boolean(),
  currency: text({ trim: true, max: 3 }),
  default_country_id: reference(),
  track_inventory_levels: boolean(),
  auto_capture: boolean(),
  auto_capture_on_dispatch: boolean(),
  tax_using_ship_address: boolean(),
};

export const STORE_ATTRIBUTES = ['id', ...Object.keys(fields), 'created_at', 'updated_at'];
export const STORE_REQUIRED = ['name', 'url', 'code', 'mail_from_address'] as const;

export const StoreCreate = wrapped('store', createSchema(fields, STORE_REQUIRED));
export const StoreUpdate = wrapped('store', updateSchema(fields, STORE_REQUIRED));

export type StoreAttributes = z.output<typeof StoreCreate>['store'];
export type StoreChanges = z.output<typeof StoreUpdate>['store'];
