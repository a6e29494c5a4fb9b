import {
  boolean,
  choice,
  integer,
  jsonObject,
  longText,
  namedReference,
  text,
} from '../../platform/resource/columns';
import type { Fields } from '../../platform/resource/definition';
import { MAX_VAT_ID_LENGTH } from '../vat-id';
import { LANGUAGES } from '../../platform/languages';

const PRINTED = 'Printed on documents.';

const describePrefix = (names: string): string =>
  `The prefix of the numbers of ${names}: letters, digits, \`.\`, \`_\` and \`-\`. Each prefix has a series of its own.`;

const describeStart = (names: string): string =>
  `The first number of a new series of ${names}. A series that has begun continues.`;

/** The settings of a store for its invoices, credit notes, corrections and packing slips. */
export const documentSettings = {
  issuer_name: {
    type: text({ trim: true }),
    nullable: true,
    description: 'The legal name of the seller. Printed on documents; the fields below are its address.',
  },
  issuer_address1: { type: text({ trim: true }), nullable: true, description: PRINTED },
  issuer_address2: { type: text({ trim: true }), nullable: true, description: PRINTED },
  issuer_zipcode: { type: text({ trim: true }), nullable: true, description: PRINTED },
  issuer_city: { type: text({ trim: true }), nullable: true, description: PRINTED },
  issuer_state_name: { type: text({ trim: true }), nullable: true, description: PRINTED },
  issuer_country_id: {
    type: namedReference(),
    nullable: true,
    description:
      'The country of the seller. With `document_locale` it decides how documents show numbers and dates, and whether their paper is Letter or A4. Requests may also contain its ISO code (`"DE"`) or its name. Defaults to `default_country_id`.',
  },
  issuer_phone: { type: text({ trim: true }), nullable: true, description: PRINTED },
  issuer_tax_number: {
    type: text({ trim: true }),
    nullable: true,
    description: 'The tax number of the seller. Printed on documents.',
  },
  issuer_vat_id: {
    type: text({ trim: true, max: MAX_VAT_ID_LENGTH }),
    nullable: true,
    description: 'The VAT id of the seller; in Japan its registration number. Printed on documents.',
  },
  issuer_bank: {
    type: text({ trim: true }),
    nullable: true,
    description: 'The bank of the seller. Printed on documents.',
  },
  issuer_iban: { type: text({ trim: true, max: 50 }), nullable: true, description: PRINTED },
  issuer_bic: { type: text({ trim: true, max: 20 }), nullable: true, description: PRINTED },
  document_logo: {
    type: text(),
    nullable: true,
    generated: true,
    description:
      'The fingerprint of the logo that documents print; null without one. `POST /stores/:id/logo` sets it.',
  },
  document_footer: {
    type: longText(),
    nullable: true,
    description: 'Text at the end of every page of a document, such as the register and the directors.',
  },
  document_locale: {
    type: choice(LANGUAGES),
    default: 'en',
    description: 'The language of documents. Numbers, dates and countries are shown as usual in it.',
  },
  document_texts: {
    type: jsonObject(),
    default: {},
    description:
      'Replaces labels of documents: an object of texts by label, such as `{"invoice": "Tax invoice", "reason_export": "Tax-free export, section 6a"}`.',
  },
  document_tax_rounding: {
    type: choice(['line', 'document']),
    default: 'line',
    description:
      'Whether the taxes of a document are sums of the taxes of its lines, or calculated and rounded once per rate, as in Japan. Totals are the same.',
  },
  einvoice: {
    type: boolean(),
    default: false,
    description:
      'Whether German and French documents contain an electronic invoice (Factur-X and ZUGFeRD, profile EN 16931), as PDF/A-3. It needs the country and a tax number of the seller, for exports the VAT id, a bill address and at most one tax per line; other documents are plain PDFs.',
  },
  invoice_prefix: {
    type: text({ trim: true, max: 20 }),
    default: 'INV-',
    description: describePrefix('invoices'),
  },
  invoice_start: { type: integer({ min: 1 }), default: 1, description: describeStart('invoices') },
  credit_note_prefix: {
    type: text({ trim: true, max: 20 }),
    default: 'CN-',
    description: describePrefix('credit notes'),
  },
  credit_note_start: { type: integer({ min: 1 }), default: 1, description: describeStart('credit notes') },
  correction_prefix: {
    type: text({ trim: true, max: 20 }),
    default: 'COR-',
    description: describePrefix('corrections'),
  },
  correction_start: { type: integer({ min: 1 }), default: 1, description: describeStart('corrections') },
  document_numbers_yearly: {
    type: boolean(),
    default: false,
    description:
      'Whether the year follows the prefix of numbers, as in `INV-2026-000001`, and counting restarts each year, by the time zone of the store.',
  },
} as const satisfies Fields;
