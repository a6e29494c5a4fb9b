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
  return selectByAddress(
    [
      ...companies.map(() => 'lower(company) LIKE lower(?)'),
      ...starts.map(
        () =>
          `lower(firstname || ' ' || lastname) LIKE lower(?) OR lower(lastname || ' ' || firstname) LIKE lower(?)`,
      ),
    ].join(' OR '),
    [...companies, ...starts.flatMap((start) => [start, start])],
  );
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
  return selectByAddress(`reverse(regexp_replace(phone, '\\D', '', 'g')) LIKE reverse(?) || '%'`, [digits]);
}

function matchZipCode(text: string): Match | null {
  const zipcode = toHalfWidth(text).replace(/[\s〒-]/g, '');
  if (!/^[a-z0-9]{3,10}$/i.test(zipcode)) return null;
  return selectByAddress(`upper(regexp_replace(zipcode, '[\\s-]', '', 'g')) LIKE upper(?) || '%'`, [zipcode]);
}

/** Selects orders by their bill address, and by their ship address. */
function selectByAddress(condition: string, bindings: readonly string[]): Match {
  return {
    sql: `WITH named AS MATERIALIZED (SELECT id FROM addresses WHERE ${condition})
          SELECT orders.id FROM named JOIN orders ON orders.bill_address_id = named.id
          UNION SELECT orders.id FROM named JOIN orders ON orders.ship_address_id = named.id`,
    bindings,
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
