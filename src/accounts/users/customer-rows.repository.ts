import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { UserValues } from './users.repository';

/** The columns of a user that a file has, with the ids of the saved addresses. */
export interface KnownCustomer {
  id: number;
  email: string;
  vat_id: string | null;
  bill_address_id: number | null;
  ship_address_id: number | null;
}

/** A locked user; `is_staff` is whether a role of the user grants scopes. */
export interface LockedCustomer extends KnownCustomer {
  is_staff: boolean;
}

/** Locks the users with these e-mail addresses, in any letter case, by id. */
export async function lockCustomers(tx: Tx, emails: readonly string[]): Promise<LockedCustomer[]> {
  const { rows } = await tx.raw<{ rows: LockedCustomer[] }>(
    `SELECT id, email, vat_id, bill_address_id, ship_address_id,
            EXISTS (SELECT FROM user_roles JOIN roles ON roles.id = user_roles.role_id
                     WHERE user_roles.user_id = users.id AND cardinality(roles.scopes) > 0) AS is_staff
       FROM users
      WHERE lower(email) = ANY(?) ORDER BY id FOR UPDATE`,
    [emails.map((email) => email.toLowerCase())],
  );
  return rows;
}

/** Returns users with their saved addresses' ids, by id. */
export async function findCustomers(db: Db, ids: readonly number[]): Promise<KnownCustomer[]> {
  return db('users')
    .whereRaw('id = ANY(?)', [[...ids]])
    .orderBy('id')
    .select<KnownCustomer[]>('id', 'email', 'vat_id', 'bill_address_id', 'ship_address_id');
}

/** Inserts customers with the role `customer`. @returns their ids, in order; fewer if an e-mail address was taken */
export async function insertCustomers(tx: Tx, customers: readonly UserValues[]): Promise<number[]> {
  if (customers.length === 0) return [];
  const rows = await tx('users')
    .insert([...customers])
    .onConflict(tx.raw('(lower(email))'))
    .ignore()
    .returning<{ id: number }[]>('id');
  const ids = rows.map(({ id }) => id);
  await tx.raw(
    `INSERT INTO user_roles (user_id, role_id)
     SELECT given.id, roles.id FROM unnest(CAST(? AS integer[])) AS given (id), roles WHERE roles.name = 'customer'`,
    [ids],
  );
  return ids;
}

/** Sets the VAT ids and the saved addresses of users. One statement. */
export async function updateCustomers(
  tx: Tx,
  changes: readonly Omit<KnownCustomer, 'email'>[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.raw(
    `UPDATE users SET vat_id = given.vat_id, bill_address_id = given.bill_address_id, ship_address_id = given.ship_address_id
       FROM jsonb_to_recordset(?) AS given (id integer, vat_id text, bill_address_id integer, ship_address_id integer)
      WHERE users.id = given.id`,
    [JSON.stringify(changes)],
  );
}
