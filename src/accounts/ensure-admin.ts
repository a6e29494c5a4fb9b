import { buildProgramAuthor } from '../access/authors';
import type { Db } from '../platform/database/knex';
import { withTransaction, type Tx } from '../platform/database/transaction';
import { configureApiToken, hasApiToken, revokeOtherApiTokens } from './token-store/api-tokens.repository';
import { issueToken } from './token-store/issue-token';
import { hashPassword, generatePassword, verifyPassword } from './passwords';
import { EVERYTHING } from '../access/scopes';
import { hashToken } from '../access/tokens';
import {
  findCredentials,
  grantRole,
  hasAdminRole,
  insertUser,
  lockAdminRole,
  updateUser,
} from './users/users.repository';

/** The settings ADMIN_*. Secrets are null if they are not set. */
export interface AdminSettings {
  email: string;
  password: string | null;
  token: string | null;
}

/** The secrets that were generated because they are not set; they cannot be read again. Null if none was generated. */
export interface GeneratedSecrets {
  password: string | null;
  token: string | null;
}

/**
 * Ensures that the store has the administrator of its settings (contract, ADMIN_*). A password or token that is set
 * replaces the current one. Otherwise a password is generated for a new account, and a token for an account without
 * one. An existing account that is not an administrator is treated like a new one: its password and tokens become
 * invalid. Safe to repeat, and on several instances at once.
 */
export async function ensureAdmin(db: Db, settings: AdminSettings): Promise<GeneratedSecrets> {
  return withTransaction({ db, author: buildProgramAuthor('start of the program') }, async (tx) => {
    await lockAdminRole(tx);
    const { userId, password } = await ensureAccount(tx, settings);
    return { password, token: await ensureToken(tx, userId, settings.token) };
  });
}

/** Ensures the account and its role. @returns the user id, and the password if it was generated */
async function ensureAccount(
  tx: Tx,
  settings: AdminSettings,
): Promise<{ userId: number; password: string | null }> {
  const known = await findCredentials(tx, settings.email);
  const isAdmin = known !== undefined && (await hasAdminRole(tx, known.id));
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

/** Ensures that the account has a token. @returns the token if it was generated */
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
  return (await issueToken(tx, userId, { name: 'made at start', scopes: [EVERYTHING], expires_at: null }))
    .token;
}
