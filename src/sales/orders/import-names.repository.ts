import { STORE_CURRENCY } from '../../catalog/store-settings-sql';
import type { Tx } from '../../platform/database/transaction';

/** A record that an import names by its name, or by its id. */
export interface Naming {
  id: number | null;
  name: string | null;
}

interface NamedRecord {
  id: number;
  name: string;
  admin_name: string | null;
}

export type NamedMethod = NamedRecord & { method_type: 'gateway' | 'check' };

export interface NamedTaxRate {
  id: number;
  name: string;
  /** A fraction, as decimal string. */
  amount: string;
  included_in_price: boolean;
}

/**
 * What an import can name. Inactive records are included, because past sales may have used them; deleted ones are not.
 */
export interface ImportNames {
  payment_methods: readonly NamedMethod[];
  shipping_methods: readonly (NamedRecord & { code: string | null })[];
  stock_locations: readonly (NamedRecord & { is_default: boolean })[];
  tax_rates: readonly NamedTaxRate[];
}

/** Loads everything that an import can name, in one statement. The tables are small. */
export async function loadImportNames(tx: Tx): Promise<ImportNames> {
  const { rows } = await tx.raw<{ rows: ImportNames[] }>(
    `SELECT (SELECT coalesce(json_agg(m ORDER BY m.position, m.id), '[]') FROM (
               SELECT id, name, NULL AS admin_name, method_type, position FROM payment_methods
                WHERE deleted_at IS NULL) m) AS payment_methods,
            (SELECT coalesce(json_agg(m ORDER BY m.id), '[]') FROM (
               SELECT id, name, admin_name, code FROM shipping_methods WHERE deleted_at IS NULL) m) AS shipping_methods,
            (SELECT coalesce(json_agg(l ORDER BY l.id), '[]') FROM (
               SELECT id, name, admin_name, is_default FROM stock_locations
                WHERE deleted_at IS NULL FOR KEY SHARE) l) AS stock_locations,
            (SELECT coalesce(json_agg(r ORDER BY r.id), '[]') FROM (
               SELECT t.id, coalesce(nullif(btrim(t.name), ''), c.name) AS name, t.amount::text AS amount, t.included_in_price
                 FROM tax_rates t JOIN tax_categories c ON c.id = t.tax_category_id
                WHERE t.deleted_at IS NULL) r) AS tax_rates`,
  );
  const [names] = rows;
  if (names === undefined) throw new Error('the statement returned no row');
  return names;
}

/** Finds a record by its id, else by its internal name, else by its name. */
export function findNamed<R extends NamedRecord>(records: readonly R[], { id, name }: Naming): R | undefined {
  if (id !== null) return records.find((record) => record.id === id);
  return (
    records.find((record) => record.admin_name !== null && record.admin_name === name) ??
    records.find((record) => record.name === name)
  );
}

/** What a batch of sold orders refers to, and which of their numbers are taken. */
export interface KnownRecords {
  taken_numbers: readonly string[];
  /** The accounts by e-mail address in lower case. */
  owners: readonly { id: number; email: string }[];
  currency: string;
}

/** Finds what a batch of sold orders refers to. One statement. */
export async function findKnownRecords(
  tx: Tx,
  wanted: { numbers: readonly string[]; emails: readonly string[] },
): Promise<KnownRecords> {
  const { rows } = await tx.raw<{ rows: KnownRecords[] }>(
    `SELECT array(SELECT number FROM orders WHERE number = ANY(?)) AS taken_numbers,
            (SELECT coalesce(json_agg(u), '[]') FROM (
               SELECT id, lower(email) AS email FROM users WHERE lower(email) = ANY(?)) u) AS owners,
            ${STORE_CURRENCY} AS currency`,
    [[...wanted.numbers], [...wanted.emails]],
  );
  const [records] = rows;
  if (records === undefined) throw new Error('the statement returned no row');
  return records;
}
