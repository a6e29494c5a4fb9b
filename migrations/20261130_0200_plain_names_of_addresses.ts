import { createIndex, dropIndex } from '../src/platform/database/migrations/steps';

/** What the function strip_marks returns. Functions are applied after the migrations, and an index must not depend on one that may change. */
const stripMarks = (
  content: string,
): string => `CASE WHEN octet_length(${content}) = char_length(${content}) THEN ${content}
    ELSE normalize(
      replace(replace(replace(replace(
        translate(regexp_replace(normalize(${content}, NFD),
            '[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670]', '', 'g'), 'øđħıłðØĐĦŁÐ',
            'odhildODHLD'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      NFC) END`;

const createPlainIndex = (name: string, column: string) =>
  createIndex(
    name,
    `addresses ((${stripMarks(`lower(${column})`)}) text_pattern_ops)
     WHERE octet_length(${column}) <> char_length(${column})`,
  );

/** The search of orders finds names and companies without the marks of their letters. */
export const up = [
  createPlainIndex('addresses_plain_name_index', `firstname || ' ' || lastname`),
  createPlainIndex('addresses_plain_family_name_index', `lastname || ' ' || firstname`),
  createPlainIndex('addresses_plain_company_index', 'company'),
];

export const down = [
  dropIndex('addresses_plain_name_index'),
  dropIndex('addresses_plain_family_name_index'),
  dropIndex('addresses_plain_company_index'),
];
