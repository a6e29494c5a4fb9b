import type { Knex } from 'knex';
import type { Metadata } from '../../access/metadata';
import { loadAddresses, type AddressGraph } from '../../geography/addresses/addresses.repository';
import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { whereChanged } from '../../platform/database/where-changed';
import { groupBy } from '../../platform/group-by';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { userSearch } from './users.search';

/** A user without the password digest, so that it is never selected and cannot leak. */
export interface UserRow extends Metadata {
  id: number;
  email: string;
  bill_address_id: number | null;
  ship_address_id: number | null;
  vat_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A user with roles and saved addresses. */
export interface UserGraph extends UserRow {
  /** Names, in alphabetical order. */
  roles: string[];
  bill_address: AddressGraph | null;
  ship_address: AddressGraph | null;
}

const COLUMNS = [
  'users.id',
  'users.email',
  'users.bill_address_id',
  'users.ship_address_id',
  'users.vat_id',
  'users.metadata',
  'users.public_metadata',
  'users.created_at',
  'users.updated_at',
] as const;

/** Returns one page of users with roles and addresses. Four queries at most. */
export async function findUserPage(db: Db, list: ListQuery): Promise<Page<UserGraph>> {
  const matching = applyFilters(db('users'), list, userSearch);
  const select = (users: Knex.QueryBuilder) => users.select<UserRow[]>(COLUMNS);
  const page = await findRowPage(db, { matching, select }, list, userSearch);
  return { ...page, rows: await loadUserGraphs(db, page.rows) };
}

/** Returns a user without roles and addresses. */
export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db('users').where({ id }).first<UserRow | undefined>(COLUMNS);
}

/** Returns the user with this e-mail address, in any letter case. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db('users').whereRaw('lower(email) = lower(?)', [email]).first<UserRow | undefined>(COLUMNS);
}

/** Finds a user as `findUserByEmail`, whose e-mail address then stays the same until the transaction ends. Waits for its change. */
export async function holdUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return tx('users')
    .whereRaw('lower(email) = lower(?)', [email])
    .forKeyShare()
    .first<UserRow | undefined>(COLUMNS);
}

/** Returns a user with roles and addresses. */
export async function findUserGraph(db: Db, id: number): Promise<UserGraph | undefined> {
  const user = await findUser(db, id);
  const [graph] = await loadUserGraphs(db, user === undefined ? [] : [user]);
  return graph;
}

/** Locks a user against changes and deletion until the transaction ends. */
export async function lockUser(tx: Tx, id: number): Promise<UserRow | undefined> {
  return tx('users').where({ id }).forUpdate().first<UserRow | undefined>(COLUMNS);
}

/** Locks several users by id, ascending. @returns those that exist */
export async function lockUsers(tx: Tx, ids: readonly number[]): Promise<UserRow[]> {
  return tx('users')
    .whereIn('id', [...ids])
    .orderBy('id')
    .forUpdate()
    .select<UserRow[]>(COLUMNS);
}

/** Loads the roles and addresses of these users. Two queries. */
async function loadUserGraphs(db: Db, users: readonly UserRow[]): Promise<UserGraph[]> {
  if (users.length === 0) return [];
  const roles = await db('user_roles')
    .join('roles', 'roles.id', 'user_roles.role_id')
    .whereIn(
      'user_roles.user_id',
      users.map((user) => user.id),
    )
    .orderBy('roles.name')
    .select<{ user_id: number; name: string }[]>('user_roles.user_id', 'roles.name');
  const rolesByUser = groupBy(roles, (role) => role.user_id);
  const addresses = await loadAddresses(
    db,
    users.flatMap((user) => [user.bill_address_id, user.ship_address_id]),
  );
  return users.map((user) => ({
    ...user,
    roles: (rolesByUser.get(user.id) ?? []).map((role) => role.name),
    bill_address: addresses.get(user.bill_address_id ?? 0) ?? null,
    ship_address: addresses.get(user.ship_address_id ?? 0) ?? null,
  }));
}

/** Returns the id and the password digest of the user with this e-mail address, in any letter case. */
export async function findCredentials(
  db: Db,
  email: string,
): Promise<{ id: number; password_digest: string } | undefined> {
  return db('users')
    .whereRaw('lower(email) = lower(?)', [email])
    .first<{ id: number; password_digest: string } | undefined>('id', 'password_digest');
}

/** Returns the password digest of a user; null if the user does not exist. */
export async function findPasswordDigest(db: Db, id: number): Promise<string | null> {
  const found = await db('users')
    .where({ id })
    .first<{ password_digest: string } | undefined>('password_digest');
  return found?.password_digest ?? null;
}

export interface UserValues {
  email: string;
  vat_id?: string | null;
  password_digest: string;
  bill_address_id: number | null;
  ship_address_id: number | null;
}

/** @returns the new id */
export async function insertUser(tx: Tx, values: UserValues & Partial<Metadata>): Promise<number> {
  const rows = await tx('users').insert(values).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Updates the given columns, unless the user has these values. @throws users_email_unique */
export async function updateUser(tx: Tx, id: number, patch: Partial<UserValues & Metadata>): Promise<void> {
  if (Object.keys(patch).length > 0) await whereChanged(tx('users').where({ id }), patch).update(patch);
}

/** Deletes a user with roles and tokens. Addresses are kept; orders and cards are kept without an owner. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx('users').where({ id }).delete();
}

/** Returns whether the user has a complete order. */
export async function hasCompletedOrders(db: Db, userId: number): Promise<boolean> {
  return hasRow(db('orders').where({ user_id: userId }).whereNotNull('completed_at').select('id'));
}

/** Replaces the roles of a user. @returns false, without changes, if a role does not exist */
export async function replaceRoles(tx: Tx, userId: number, names: readonly string[]): Promise<boolean> {
  const roles = await tx('roles').whereIn('name', names).select<{ id: number }[]>('id');
  if (roles.length !== new Set(names).size) return false;
  await tx('user_roles').where({ user_id: userId }).delete();
  if (roles.length > 0) {
    await tx('user_roles').insert(roles.map((role) => ({ user_id: userId, role_id: role.id })));
  }
  return true;
}

/** Returns whether the user is an admin; false for an unknown user. */
export async function hasAdminRole(db: Db, userId: number): Promise<boolean> {
  return hasRow(
    db('user_roles')
      .join('roles', 'roles.id', 'user_roles.role_id')
      .where({ user_id: userId, name: 'admin' })
      .select('user_id'),
  );
}

/** Returns whether the user has a role that grants scopes. */
export async function hasStaffRole(db: Db, userId: number): Promise<boolean> {
  return hasRow(
    db('user_roles')
      .join('roles', 'roles.id', 'user_roles.role_id')
      .where({ user_id: userId })
      .whereRaw('cardinality(roles.scopes) > 0')
      .select('user_id'),
  );
}

/** Returns whether the user is the only admin. Reliable only while the role is locked (`lockAdminRole`). */
export async function isLastAdmin(db: Db, userId: number): Promise<boolean> {
  const holders = await db('user_roles')
    .join('roles', 'roles.id', 'user_roles.role_id')
    .where({ name: 'admin' })
    .orderByRaw('user_id = ? DESC', [userId])
    .limit(2)
    .pluck<number[]>('user_id');
  return holders.length === 1 && holders[0] === userId;
}

/** Adds a role to the user. Repeatable. */
export async function grantRole(tx: Tx, userId: number, name: string): Promise<void> {
  await tx.raw(
    `INSERT INTO user_roles (user_id, role_id) SELECT ?, id FROM roles WHERE name = ? ON CONFLICT DO NOTHING`,
    [userId, name],
  );
}

/** Locks the role of admins against other transactions that lock it. Users may still get the role. */
export async function lockAdminRole(tx: Tx): Promise<void> {
  await tx('roles').where({ name: 'admin' }).forNoKeyUpdate().first('id');
}
