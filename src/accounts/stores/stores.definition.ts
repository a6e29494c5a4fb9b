import { z } from 'zod';
import { boolean as booleanInput, text as textInput } from '../../platform/http/fields';
import { boolean, choice, longText, reference, text, timestamp } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** The languages whose words PostgreSQL can reduce to stems, and `simple`. */
const LANGUAGES = [
  ...([
    'simple',
    'arabic',
    'armenian',
    'basque',
    'catalan',
    'danish',
    'dutch',
    'english',
    'finnish',
  ] as const),
  ...(['french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian'] as const),
  ...([
    'lithuanian',
    'nepali',
    'norwegian',
    'portuguese',
    'romanian',
    'russian',
    'serbian',
    'spanish',
  ] as const),
  ...(['swedish', 'tamil', 'turkish', 'yiddish'] as const),
] as const;

/** A store and its settings. The settings of the default store apply; there is always one. */
export const Store = defineResource({
  table: 'stores',
  name: 'store',
  schema: 'Store',
  deletion: 'hard',
  fields: {
    name: { type: text({ trim: true }), required: true },
    url: { type: text({ trim: true }), required: true },
    code: { type: text({ trim: true }), required: true },
    mail_from_address: { type: text({ trim: true }), required: true },
    meta_description: { type: longText(), nullable: true },
    meta_keywords: { type: text(), nullable: true },
    seo_title: { type: text(), nullable: true },
    is_default: { type: boolean(), default: false, description: 'Whether its settings apply.' },
    currency: {
      type: text({ trim: true, max: 3 }),
      default: 'USD',
      description: 'The ISO 4217 currency of prices and new orders.',
    },
    default: {
      reply: z.boolean(),
      input: booleanInput().optional.meta({ description: 'Same as `is_default`, for older clients.' }),
    },
    default_currency: {
      reply: z.string(),
      input: textInput({ trim: true, max: 3 }).optional.meta({
        description: 'Same as `currency`, for older clients.',
      }),
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
    language: {
      type: choice(LANGUAGES),
      default: 'english',
      description:
        'The language of the names and texts of products: `search` reduces words to stems by its rules. `simple` compares whole words.',
    },
    created_at: { type: timestamp(), generated: true },
    updated_at: { type: timestamp(), generated: true },
  },
});

export type StoreRow = RowOf<typeof Store>;
export type StoreJson = JsonOf<typeof Store>;
