import type { Db } from '../platform/database/knex';
import { withTransaction, type Tx } from '../platform/database/transaction';
import { configureApiToken, hasApiToken, revokeOtherApiTokens } from './api-tokens/api-tokens.repository';
import { issueToken } from './api-tokens/issue-token';
import { hashPassword, generatePassword, verifyPassword } from './passwords';
import { hashToken } from '../access/tokens';
import {
  findCredentials,
  grantRole,
  hasRole,
  insertUser,
  lockRole,
  updateUser,
} from './users/users.repository';

/** The administrator the settings name; secrets are null where the settings leave them open. */
export interface AdminSettings {
  email: string;
  password: string | null;
  token: string | null;
}

/** What was generated because the settings left it open; it can be read nowhere else. Null: nothing was. */
export interface GeneratedSecrets {
  password: string | null;
  token: string | null;
}

/**
 * Makes sure that the store has the administrator of its settings (contract, ADMIN_*). A password or token that is
 * set holds from now on, and the token set before no longer does. One that is not set is generated: the password when
 * the account is made, the token when it has none. An account that was not an administrator's is taken over like a
 * new one: its old password and tokens open nothing any more.
 * Safe to repeat, and beside other instances doing the same.
 */
export async function ensureAdmin(db: Db, settings: AdminSettings): Promise<GeneratedSecrets> {
  return withTransaction({ db }, async (tx) => {
    await lockRole(tx, 'admin');
    const { userId, password } = await ensureAccount(tx, settings);
    return { password, token: await ensureToken(tx, userId, settings.token) };
  });
}

/** @returns the account, and its password when one had to be generated */
async function ensureAccount(
  tx: Tx,
  settings: AdminSettings,
): Promise<{ userId: number; password: string | null }> {
  const known = await findCredentials(tx, settings.email);
  const isAdmin = known !== undefined && (await hasRole(tx, known.id, 'admin'));
  if (isAdmin) {
    const { password } = settings;
    if (password !== null && !(await verifyPassword(known.password_digest, password))) {
      await replacePassword(tx, known.id, password);
    }
    return { userId: known.id, password: null };
  }
  const password = settings.password ?? generatePassword();
  const userId = known?.id ?? (await insertAccount(tx, settings.email, password));
  if (known !== undefined) await replacePassword(tx, userId, password);
  await grantRole(tx, userId, 'admin');
  return { userId, password: settings.password === null ? password : null };
}

async function insertAccount(tx: Tx, email: string, password: string): Promise<number> {
  const password_digest = await hashPassword(password);
  return insertUser(tx, { email, password_digest, bill_address_id: null, ship_address_id: null });
}

async function replacePassword(tx: Tx, userId: number, password: string): Promise<void> {
  await updateUser(tx, userId, { password_digest: await hashPassword(password) });
  await revokeOtherApiTokens(tx, { user_id: userId, except: null }, new Date());
}

/** @returns the token when one had to be generated */
async function ensureToken(tx: Tx, userId: number, token: string | null): Promise<string | null> {
  if (token !== null) {
    await configureApiToken(
      tx,
      { user_id: userId, name: 'ADMIN_TOKEN', token_hash: hashToken(token) },
      new Date(),
    );
    return null;
  }
  if (await hasApiToken(tx, userId)) return null;
  return (await issueToken(tx, userId, 'made at start')).token;
}
