import { createIndex, dropIndex, type Steps } from '../src/platform/database/migrations/steps';

/**
 * The indexes of `search` on orders, for the kinds of text that had none. The expressions are those of
 * `order-search.repository.ts`. Prefixes need no trigrams, so that names of one or two characters are found too.
 */
const INDEXES = {
  addresses_name_index: `addresses (lower(firstname || ' ' || lastname) text_pattern_ops)`,
  addresses_family_name_index: `addresses (lower(lastname || ' ' || firstname) text_pattern_ops)`,
  // Reversed, because the ends of phone numbers are the same with and without a country code.
  addresses_phone_index: `addresses (reverse(regexp_replace(phone, '\\D', '', 'g')) text_pattern_ops)`,
  addresses_zipcode_index: `addresses (upper(regexp_replace(zipcode, '[\\s-]', '', 'g')) text_pattern_ops)`,
  documents_number_index: 'documents (upper(number))',
};

export const up: Steps = Object.entries(INDEXES).map(([name, on]) => createIndex(name, on));

export const down: Steps = Object.keys(INDEXES).map(dropIndex);
