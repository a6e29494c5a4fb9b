import type { Store } from 'store-api-client';
import { toChoices, type FieldSpec } from '../parts/fields';

/** Settings of the store that are shown and saved together. */
export interface StoreGroup {
  name: string;
  fields: readonly FieldSpec[];
}

type Name = keyof Store;

const text = (name: Name, label: string, hint?: string): FieldSpec => ({
  name,
  label,
  ...(hint !== undefined && { hint }),
});
const check = (name: Name, label: string): FieldSpec => ({ name, label, kind: 'check' });
const whole = (name: Name, label: string): FieldSpec => ({ name, label, kind: 'whole', isRequired: true });
const choice = (name: Name, label: string, choices: Readonly<Record<string, string>>): FieldSpec => ({
  name,
  label,
  kind: 'choice',
  isRequired: true,
  choices: Object.entries(choices).map(([value, of]) => ({ value, name: of })),
});
const country = (
  name: Name,
  label: string,
  countries: readonly { id: number; name: string }[],
): FieldSpec => ({ name, label, kind: 'choice', choices: toChoices(countries) });

/** Returns the groups of settings; the countries are choices. */
export const buildGroups = (countries: readonly { id: number; name: string }[]): StoreGroup[] => [
  {
    name: 'Store',
    fields: [
      text('name', 'Name'),
      text('url', 'Address'),
      text('mail_from_address', 'Sender of mails'),
      text('time_zone', 'Time zone', 'Such as Europe/Berlin.'),
      country('default_country_id', 'Country', countries),
      text('seo_title', 'Title for search engines'),
      text('meta_description', 'Description for search engines'),
    ],
  },
  {
    name: 'Amounts and dates',
    fields: [
      text('currency', 'Currency', 'Orders keep theirs.'),
      choice('currency_display', 'Currencies as', { symbol: 'Symbol', code: 'Code' }),
      choice('currency_position', 'Currency', { before: 'Before the amount', after: 'After the amount' }),
      choice('decimal_mark', 'Decimal mark', { '.': 'Point', ',': 'Comma' }),
      choice('thousands_separator', 'Thousands', {
        ',': 'Comma',
        '.': 'Point',
        ' ': 'Space',
        "'": 'Apostrophe',
        none: 'None',
      }),
      choice('date_format', 'Dates', {
        'YYYY-MM-DD': '2026-12-31',
        'DD.MM.YYYY': '31.12.2026',
        'DD/MM/YYYY': '31/12/2026',
        'MM/DD/YYYY': '12/31/2026',
      }),
    ],
  },
  {
    name: 'Sales and stock',
    fields: [
      check('auto_capture', 'Capture payments at once'),
      check('auto_capture_on_dispatch', 'Capture payments when parcels leave'),
      check('tax_using_ship_address', 'Tax by the ship address'),
      check('track_inventory_levels', 'Keep track of stock'),
      whole('return_days', 'Days in which customers can request a return'),
      whole('payment_wait_minutes', 'Minutes that payments wait for buyers'),
      whole('low_stock_threshold', 'Stock is low below this number of units'),
      whole('abandoned_cart_hours', 'Hours until a cart counts as abandoned'),
    ],
  },
  {
    name: 'Documents: issuer',
    fields: [
      text('issuer_name', 'Name'),
      text('issuer_address1', 'Address'),
      text('issuer_address2', 'Address, second line'),
      text('issuer_zipcode', 'Postal code'),
      text('issuer_city', 'City'),
      text('issuer_state_name', 'State or province'),
      country('issuer_country_id', 'Country', countries),
      text('issuer_phone', 'Phone'),
      text('issuer_tax_number', 'Tax number'),
      text('issuer_vat_id', 'VAT id'),
      text('issuer_bank', 'Bank'),
      text('issuer_iban', 'IBAN'),
      text('issuer_bic', 'BIC'),
    ],
  },
  {
    name: 'Documents: numbers and texts',
    fields: [
      choice('document_locale', 'Language', {
        en: 'English',
        de: 'German',
        fr: 'French',
        es: 'Spanish',
        it: 'Italian',
        nl: 'Dutch',
        ja: 'Japanese',
      }),
      { name: 'document_footer', label: 'Footer', kind: 'long' },
      text('invoice_prefix', 'Invoices begin with'),
      text('credit_note_prefix', 'Credit notes begin with'),
      text('correction_prefix', 'Corrections begin with'),
      check('document_numbers_yearly', 'Restart numbers each year'),
      choice('document_tax_rounding', 'Taxes are rounded', { line: 'By line', document: 'Once' }),
      check('einvoice', 'Invoices contain the e-invoice'),
    ],
  },
  {
    name: 'Mails that customers get',
    fields: [
      check('mail_order_confirmed', 'Order confirmed'),
      check('mail_shipped', 'Parcel shipped'),
      check('mail_canceled', 'Order canceled'),
      check('mail_refunded', 'Payment refunded'),
      check('mail_return_received', 'Return received'),
      check('mail_invoice', 'Attach the invoice'),
    ],
  },
  { name: 'Staff', fields: [check('require_two_factor', 'Signing in needs a second factor')] },
];
