import { z } from 'zod';
import { boolean as booleanInput, text as textInput } from '../../platform/http/fields';
import { boolean, longText, reference, text, timestamp } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A store and its settings. The settings of the default store apply; there is always one. */
export const Store = defineResource({
  table: 'stores',
  name: 'store',
  schema: 'Store',
  deletion: 'hard',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      description: 'The name of the store, for titles and e-mails.',
    },
    url: { type: text({ trim: true }), required: true, description: 'The address of the storefront.' },
    code: {
      type: text({ trim: true }),
      required: true,
      description: 'A short code of the store, for integrations.',
    },
    mail_from_address: {
      type: text({ trim: true }),
      required: true,
      description: 'The sender of e-mails to customers.',
    },
    meta_description: { type: longText(), nullable: true },
    meta_keywords: { type: text(), nullable: true },
    seo_title: {
      type: text(),
      nullable: true,
      description: 'The title of the home page for search engines. Null without one.',
    },
    is_default: { type: boolean(), default: false, description: 'Whether its settings apply.' },
    currency: {
      type: text({ trim: true, max: 3 }),
      default: 'USD',
      description: 'The ISO 4217 currency of prices and new orders.',
    },
    default: {
      reply: z.boolean(),
      input: booleanInput().optional.meta({ description: 'Same as `is_default`, for older clients.' }),
      description: 'Same as `is_default`, for older clients.',
    },
    default_currency: {
      reply: z.string(),
      input: textInput({ trim: true, max: 3 }).optional.meta({
        description: 'Same as `currency`, for older clients.',
      }),
      description: 'Same as `currency`, for older clients.',
    },
    default_country_id: { type: reference(), nullable: true },
    track_inventory_levels: {
      type: boolean(),
      default: true,
      description: 'Whether the store tracks inventory.',
    },
    auto_capture: {
      type: boolean(),
      default: false,
      description: 'Whether payments are captured when an order completes.',
    },
    auto_capture_on_dispatch: {
      type: boolean(),
      default: false,
      description: 'Whether authorized payments are captured when an order ships.',
    },
    tax_using_ship_address: {
      type: boolean(),
      default: true,
      description: 'Whether the ship address, not the bill address, determines taxes.',
    },
    created_at: { type: timestamp(), generated: true },
    updated_at: { type: timestamp(), generated: true },
  },
});

export type StoreRow = RowOf<typeof Store>;
export type StoreJson = JsonOf<typeof Store>;
