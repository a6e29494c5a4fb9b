import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import { hasWidths, listWidths, toHalfWidth } from '../../platform/half-width';
import { escapeLike } from '../../platform/query-builder/predicates';

/** The newest orders of each kind of match; a text that matches more of them is too short to find anything. */
const MAX_OF_KIND = 1_000;

/** Fewer digits are the end of too many phone numbers. */
const MIN_PHONE_DIGITS = 5;

/** Longer texts in East Asian scripts are not split into names. */
const MAX_SPLIT_LETTERS = 12;

interface Match {
  /** Selects the ids of orders as `id`. */
  sql: string;
  bindings: readonly string[];
}

/**
 * Builds the table of the orders that match a text: `id`, and `rank`, the first kind that matches, starting at 0: number,
 * e-mail address, name or company, phone, zip code, SKU, tracking or shipment number, document number. Every kind reads
 * indexes, and none more than `MAX_OF_KIND` orders are joined. The text is not empty.
 */
export function buildOrderMatches(db: Db, search: string): Knex.Raw {
  const text = search.trim().replace(/\s+/g, ' ');
  const kinds = [
    matchWidths(text, matchNumber),
    matchWidths(text, matchEmail),
    matchName(text),
    matchPhone(text),
    matchZipCode(text),
    matchWidths(text, matchSku),
    matchWidths(text, matchTracking),
    matchWidths(text, matchDocument),
  ];
  const parts = kinds.flatMap((match, rank) =>
    match === null
      ? []
      : [
          // OFFSET 0 keeps the planner from reading orders from the newest until enough match.
          {
            sql: `(SELECT id, ${rank} AS rank FROM (${match.sql} OFFSET 0) AS kind ORDER BY id DESC LIMIT ${MAX_OF_KIND})`,
            bindings: match.bindings,
          },
        ],
  );
  return db.raw(
    `(SELECT id, min(rank) AS rank FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS kinds GROUP BY id)`,
    parts.flatMap(({ bindings }) => bindings),
  );
}

/** Matches a text as it is entered and, if it has full-width characters, also in half-width ones. */
function matchWidths(text: string, match: (text: string) => Match | null): Match | null {
  const matches = [...new Set([text, toHalfWidth(text)])].map(match).filter((found) => found !== null);
  if (matches.length === 0) return null;
  return {
    sql: matches.map(({ sql }) => sql).join(' UNION '),
    bindings: matches.flatMap(({ bindings }) => bindings),
  };
}

/** Whether a trigram index serves the text; without three letters or digits in a row it would be read whole. */
const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);

function matchNumber(text: string): Match {
  if (!hasTrigram(text)) return { sql: 'SELECT id FROM orders WHERE number = upper(?)', bindings: [text] };
  return { sql: 'SELECT id FROM orders WHERE number ILIKE ?', bindings: [`%${escapeLike(text)}%`] };
}

function matchEmail(text: string): Match | null {
  if (!hasTrigram(text)) return null;
  return { sql: 'SELECT id FROM orders WHERE email ILIKE ?', bindings: [`%${escapeLike(text)}%`] };
}

function matchName(text: string): Match {
  const toStarts = (names: readonly string[]): string[] =>
    [...new Set(names.flatMap(listWidths))].map((name) => `${escapeLike(name)}%`);
  const starts = toStarts(listNames(text.replace(/, ?/g, ' ')));
  // Japanese companies have a full-width space before or after their legal form: 株式会社 松本. Further conditions for other texts
  // would make PostgreSQL read all addresses.
  const companies = toStarts(hasWidths(text) ? [text, text.replaceAll(' ', '\u3000')] : [text]);
  const named = [
    ...companies.map((start) => ({ column: 'company', start })),
    ...starts.flatMap((start) =>
      [`firstname || ' ' || lastname`, `lastname || ' ' || firstname`].map((column) => ({ column, start })),
    ),
  ];
  return selectByAddress(
    join(named.map(({ column, start }) => ({ sql: `lower(${column}) LIKE lower(?)`, bindings: [start] }))),
    join(named.flatMap(({ column, start }) => matchWithoutMarks(column, start))),
  );
}

function join(conditions: readonly Match[]): Match {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' OR '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

/**
 * Matches a column that begins with a text if the marks of letters do not count. The indexes without marks hold only names that have some;
 * the others are found as they are, by a text with marks.
 */
function matchWithoutMarks(column: string, start: string): Match[] {
  const marked = `octet_length(${column}) <> char_length(${column})`;
  const isAscii = Buffer.byteLength(start) === start.length;
  return [
    `${marked} AND strip_marks(lower(${column})) LIKE strip_marks(lower(?))`,
    ...(isAscii ? [] : [`lower(${column}) LIKE strip_marks(lower(?))`]),
  ].map((sql) => ({ sql, bindings: [start] }));
}

/** Lists the name, and if it is Japanese, Chinese or Korean without a space, also the name with a space after each letter. */
function listNames(text: string): string[] {
  const letters = [...text.normalize('NFKC')];
  const isSplit = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u.test(
    letters.join(''),
  );
  if (!isSplit || letters.length > MAX_SPLIT_LETTERS) return [text];
  const ends = letters.slice(1).map((_letter, at) => at + 1);
  return [text, ...ends.map((end) => `${letters.slice(0, end).join('')} ${letters.slice(end).join('')}`)];
}

function matchPhone(entered: string): Match | null {
  const text = toHalfWidth(entered);
  if (!/^[\d\s()+./-]+$/.test(text)) return null;
  // Zeros at the start are left out of a number with its country code.
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  if (digits.length < MIN_PHONE_DIGITS) return null;
  return selectByAddress({
    sql: `reverse(regexp_replace(phone, '\\D', '', 'g')) LIKE reverse(?) || '%'`,
    bindings: [digits],
  });
}

function matchZipCode(text: string): Match | null {
  const zipcode = toHalfWidth(text).replace(/[\s〒-]/g, '');
  if (!/^[a-z0-9]{3,10}$/i.test(zipcode)) return null;
  return selectByAddress({
    sql: `upper(regexp_replace(zipcode, '[\\s-]', '', 'g')) LIKE upper(?) || '%'`,
    bindings: [zipcode],
  });
}

/**
 * Selects orders by their bill address, and by their ship address.
 * @param other a condition that few addresses meet, of whose number PostgreSQL may know nothing: as an array, it expects few
 */
function selectByAddress(condition: Match, other: Match | null = null): Match {
  const others =
    other === null ? '' : `UNION SELECT unnest(ARRAY(SELECT id FROM addresses WHERE ${other.sql}))`;
  return {
    sql: `WITH named AS MATERIALIZED (SELECT id FROM addresses WHERE ${condition.sql} ${others})
          SELECT orders.id FROM named JOIN orders ON orders.bill_address_id = named.id
          UNION SELECT orders.id FROM named JOIN orders ON orders.ship_address_id = named.id`,
    bindings: [...condition.bindings, ...(other?.bindings ?? [])],
  };
}

function matchSku(text: string): Match {
  const [condition, bindings] = hasTrigram(text)
    ? ['ILIKE ?', [escapeLike(text)]]
    : ['IN (?, upper(?))', [text, text]];
  return {
    sql: `SELECT line_items.order_id AS id FROM variants JOIN line_items ON line_items.variant_id = variants.id
           WHERE variants.sku ${condition}`,
    bindings,
  };
}

function matchTracking(text: string): Match {
  const compact = text.replace(/ /g, '');
  return {
    sql: `SELECT order_id AS id FROM shipments WHERE tracking IN (?, ?, upper(?))
          UNION SELECT order_id AS id FROM shipments WHERE number IN (?, upper(?))`,
    bindings: [text, compact, compact, text, text],
  };
}

function matchDocument(text: string): Match {
  return { sql: 'SELECT order_id AS id FROM documents WHERE upper(number) = upper(?)', bindings: [text] };
}
