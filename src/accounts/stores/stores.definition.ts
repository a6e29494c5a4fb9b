import { z } from 'zod';
import { boolean as booleanInput, text as textInput } from '../../platform/http/fields';
import {
  boolean,
  choice,
  integer,
  longText,
  namedReference,
  text,
  timestamp,
} from '../../platform/resource/columns';
import { DATE_FORMATS } from '../../platform/calendar';
import { DEFAULT_MONEY_FORMAT } from '../../platform/money-format';
import { documentSettings } from './document-settings';
import { mailSettings } from './mail-settings';
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
    name: {
      type: text({ trim: true }),
      required: true,
      description: 'The name of the store, for titles and e-mails.',
    },
    url: {
      type: text({ trim: true }),
      required: true,
      description:
        'The address of the storefront; links in mails lead there. Only administrators with a token without limits change it.',
    },
    code: {
      type: text({ trim: true }),
      required: true,
      description: 'A short code of the store, for integrations.',
    },
    mail_from_address: {
      type: text({ trim: true }),
      required: true,
      description:
        'The sender of e-mails to customers. Only administrators with a token without limits change it.',
    },
    order_url: {
      type: text({ trim: true, max: 1000 }),
      nullable: true,
      description:
        'The page of an order, which links in mails lead to, with `{number}` and `{token}`. Null: `/orders/{number}?order_token={token}` of `url`. Only administrators with a token without limits change it.',
      examples: ['https://shop.example.com/orders/{number}?order_token={token}'],
    },
    product_url: {
      type: text({ trim: true, max: 1000 }),
      nullable: true,
      description: 'The page of a product, with `{slug}`, for feeds. Null: `/products/{slug}` of `url`.',
      examples: ['https://shop.example.com/products/{slug}'],
    },
    feeds: {
      type: boolean(),
      default: false,
      description:
        'Whether `/feeds/google.xml` and `/sitemap.xml` list the products for search engines, and `/robots.txt` names the sitemap.',
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
      input: booleanInput().optional.describe('Same as `is_default`, for older clients.'),
      description: 'Same as `is_default`, for older clients.',
    },
    default_currency: {
      reply: z.string(),
      input: textInput({ trim: true, max: 3 }).optional.describe('Same as `currency`, for older clients.'),
      description: 'Same as `currency`, for older clients.',
    },
    default_country_id: {
      type: namedReference(),
      nullable: true,
      description:
        'The country that forms preselect. Requests may also contain its ISO code (`"US"`) or its name. Null without one.',
    },
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
    time_zone: {
      type: text({ trim: true }),
      default: 'UTC',
      description: 'The time zone of the days in reports and of dates on documents, such as `Europe/Berlin`.',
    },
    currency_display: {
      type: choice(['symbol', 'code']),
      default: DEFAULT_MONEY_FORMAT.currency_display,
      description: 'Whether amounts show the symbol or the code of their currency.',
    },
    currency_position: {
      type: choice(['before', 'after']),
      default: DEFAULT_MONEY_FORMAT.currency_position,
      description: 'Whether the currency is before the amount, as in `$4.90`, or after it, as in `4.90 $`.',
    },
    decimal_mark: {
      type: choice(['.', ',']),
      default: DEFAULT_MONEY_FORMAT.decimal_mark,
      description: 'The mark between whole units and cents. Must differ from `thousands_separator`.',
    },
    thousands_separator: {
      type: choice([',', '.', ' ', "'", 'none']),
      default: DEFAULT_MONEY_FORMAT.thousands_separator,
      description: 'The mark between groups of three digits.',
    },
    date_format: {
      type: choice(DATE_FORMATS),
      default: 'YYYY-MM-DD',
      description: 'The format of dates on documents.',
    },
    require_two_factor: {
      type: boolean(),
      default: false,
      description:
        'Whether members of staff who sign in need a second factor; without one they can only set it up. API tokens are not affected. Only administrators with a token without limits change it.',
    },
    return_days: {
      type: integer({ min: 0 }),
      default: 0,
      description: 'For how many days after the dispatch customers may request a return. 0: they may not.',
    },
    payment_wait_minutes: {
      type: integer({ min: 1 }),
      default: 60,
      description:
        'For how many minutes an order keeps its stock while its payment waits for the buyer or the provider. Then the payment is given up.',
    },
    low_stock_threshold: {
      type: integer({ min: 0 }),
      default: 5,
      description: 'A stock item that falls below this count has an event `stock.low`.',
    },
    abandoned_cart_hours: {
      type: integer({ min: 1 }),
      default: 24,
      description:
        'After how many hours without a change a cart with an e-mail address has an event `cart.abandoned`.',
    },
    invoice_issuer: {
      type: longText(),
      nullable: true,
      description:
        'Printed on documents if there is no `issuer_name`: legal name, address, tax number, in lines.',
    },
    ...documentSettings,
    ...mailSettings,
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
