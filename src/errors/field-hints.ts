import { BLANK, INVALID } from '../platform/errors';

/** How to correct an attribute: the last part of its name, the messages that it is about, and the sentence. */
interface FieldHint {
  fields: RegExp;
  /** The whole name, if the last part does not suffice. */
  paths?: RegExp;
  messages: RegExp;
  hint: string;
  /** Whether only a step of the checkout asks for it. */
  ofTransitions?: true;
}

const ANY = /./;
const is = (...messages: string[]): RegExp => new RegExp(`^(${messages.join('|')})$`);

const CARD = 'A card has number, month, year with four digits, verification_value and name.';

/** In the order in which they apply. */
const HINTS: readonly FieldHint[] = [
  { fields: /^(?!payment_method)/, paths: /^payments\./, messages: ANY, hint: CARD },
  {
    fields: /^id$/,
    paths: /^shipments\./,
    messages: is(INVALID),
    hint: 'shipments_attributes is a list of {"id": 1, "selected_shipping_rate_id": 2}; GET /api/v1/orders/:number shows both ids.',
  },
  {
    fields: /^(country|country_id)$/,
    messages: is(BLANK, INVALID),
    hint: 'Send country_id or country, as an id, an ISO code such as "US", or a name; GET /api/v1/countries lists them.',
  },
  {
    fields: /country_id$/,
    messages: is(BLANK, INVALID),
    hint: 'GET /api/v1/countries lists the ids of countries.',
  },
  {
    fields: /^state$/,
    messages: /^cannot transition/,
    hint: 'The state of the record does not allow this: read it, and see /docs/state-machines for what each state allows.',
  },
  {
    fields: /^base$/,
    messages: /^Payment could not be processed/,
    hint: 'Add a payment by another card or method with payments_attributes; a card needs number, month, year and verification_value.',
  },
  {
    fields: /^(state|state_id)$/,
    messages: is(BLANK, INVALID),
    hint: 'Send state_id or state, as an id, an abbreviation such as "ME", or a name; GET /api/v1/countries/:country_id/states lists the states of a country.',
  },
  {
    fields: /^zipcode$/,
    messages: is(INVALID),
    hint: 'The postal code does not have the form of its country, such as 04101 in the US, K1A 0B1 in Canada or SW1A 1AA in the UK.',
  },
  {
    fields: /^zone_members$/,
    messages: is(INVALID),
    hint: 'A member is {"zoneable_type": "Country", "zoneable_id": "US"}: an id, an ISO code or a name; for states "ME", "US-ME" or a name.',
  },
  {
    fields: /^(quantity|count_on_hand|adjust|counted|position)$/,
    messages: /is not a number/,
    hint: 'Send a whole number.',
  },
  {
    fields: /^amount$/,
    messages: /is not a number/,
    hint: 'Send a number with a decimal point, without currency, such as "1299.90"; for a tax rate the fraction, such as "0.19" for 19 %.',
  },
  {
    fields: ANY,
    messages: /is not a number/,
    hint: 'Send a number with a decimal point, without currency and thousands separators, such as "1299.90".',
  },
  { fields: ANY, messages: /must be an integer/, hint: 'Send a whole number.' },
  {
    fields: /(_at|_on|_since|^from|^to)$/,
    messages: is(INVALID),
    hint: 'Send a time in ISO 8601, such as 2026-03-01T09:30:00Z or 2026-03-01.',
  },
  { fields: /^email$/, messages: is(INVALID), hint: 'Send one e-mail address, such as ann@example.com.' },
  {
    fields: /^email$/,
    messages: is(BLANK),
    ofTransitions: true,
    hint: 'An order needs an e-mail address before it leaves the step address: send email with PUT /api/v1/checkouts/:number.',
  },
  {
    fields: /^(shipping_category|shipping_category_id)$/,
    messages: ANY,
    hint: 'GET /api/v1/shipping_categories lists the ids of shipping categories.',
  },
  {
    fields: /^tax_category(_id)?$/,
    messages: ANY,
    hint: 'GET /api/v1/tax_categories lists the ids of tax categories.',
  },
  {
    fields: /^taxon(_ids?)?$/,
    messages: is(INVALID, BLANK),
    hint: 'GET /api/v1/taxons lists the ids of taxons.',
  },
  {
    fields: /^option_type(_ids?)?$/,
    messages: is(INVALID, BLANK),
    hint: 'GET /api/v1/option_types lists the ids of option types.',
  },
  {
    fields: /^option_value_ids$/,
    messages: is(INVALID, BLANK),
    hint: 'GET /api/v1/option_values lists the ids of option values.',
  },
  {
    fields: /^(variant|variant_id|sku)$/,
    messages: is(INVALID, BLANK),
    hint: 'Send variant_id or sku of a variant; GET /api/v1/variants lists them. A product is sold as its master variant or one of its variants.',
  },
  {
    fields: /^zones?(_ids?)?$/,
    messages: is(INVALID, BLANK),
    hint: 'GET /api/v1/zones lists the ids of zones.',
  },
  {
    fields: /^(events|types)$/,
    messages: is(INVALID, BLANK),
    hint: 'Name types of events, such as order.completed and stock.changed, or "*" in a webhook; the reference at /docs lists them.',
  },
  {
    fields: /^product$/,
    messages: is(BLANK),
    hint: 'Send product_id beside the record, not in it, or use POST /api/v1/products/:product_id/variants.',
  },
  {
    fields: ANY,
    messages: is('is not included in the list'),
    hint: 'The reference at /docs lists the accepted values.',
  },
  { fields: /^roles$/, messages: is(INVALID), hint: 'GET /api/v1/roles lists the names of roles.' },
  { fields: /^user_id$/, messages: is(INVALID, BLANK), hint: 'GET /api/v1/users lists the ids of users.' },
  {
    fields: /^(payment_method|payment_method_id)$/,
    messages: ANY,
    hint: 'The field payment_methods of an order lists the payment methods that it may use.',
  },
  {
    fields: /^(selected_shipping_rate|selected_shipping_rate_id|shipping_rate)$/,
    messages: ANY,
    hint: 'shipments[].shipping_rates of the order lists the ids of its shipping rates.',
  },
  {
    fields: /^(stock_location|stock_location_id)$/,
    messages: is(INVALID, BLANK),
    hint: 'GET /api/v1/stock_locations lists the ids of stock locations.',
  },
  {
    fields: /^(reason|return_authorization_reason_id)$/,
    messages: is(INVALID, BLANK),
    hint: 'GET /api/v1/return_authorization_reasons lists the reasons.',
  },
  {
    fields: /^(option|property)$/,
    messages: is(INVALID),
    hint: 'Name it in brackets: option[color]=navy,blue or property[material]=cotton.',
  },
  {
    fields: /^cursor$/,
    messages: is(INVALID),
    hint: 'Begin with an empty cursor, and then send the next_cursor of each reply.',
  },
  {
    fields: /^file$/,
    messages: /^has no column/,
    hint: 'The first line names the columns, as in the exports: GET /api/v1/exports/products.csv, stock.csv, prices.csv and customers.csv.',
  },
  {
    fields: /^(file|attachment)$/,
    messages: is(BLANK),
    hint: 'Send the file in a multipart/form-data body, with curl: -F kind=products -F file=@products.csv, or -F "image[attachment]=@mug.jpg".',
  },
  {
    fields: /^(slug|permalink)$/,
    messages: /taken/,
    hint: 'Leave the slug out to have one made of the name, or send another one.',
  },
  {
    fields: /^(name|sku|email|number|code)$/,
    messages: /taken/,
    hint: 'Another record has this value; change that record, or send another value.',
  },
  {
    fields: /^(verification_value|month|year|number|cc_type)$/,
    messages: is(INVALID, BLANK),
    hint: CARD,
  },
];

/**
 * Returns how to correct the first of these errors by field that has a hint; null if none has.
 * @param isTransition whether a step of a record was refused
 */
export function findFieldHint(errors: object | null, isTransition: boolean): string | null {
  for (const [path, messages] of Object.entries(errors ?? {})) {
    const field = path.split('.').at(-1) ?? '';
    const found = HINTS.find(
      ({ fields, paths = ANY, messages: about, ofTransitions = false }) =>
        fields.test(field) &&
        paths.test(path) &&
        (isTransition || !ofTransitions) &&
        Array.isArray(messages) &&
        messages.some((message) => typeof message === 'string' && about.test(message)),
    );
    if (found !== undefined) return found.hint;
  }
  return null;
}
