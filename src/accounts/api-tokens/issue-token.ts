import type { Tx } from '../../platform/database/transaction';
import { hashToken, generateToken } from '../../access/tokens';
import { insertApiToken, type ApiTokenRow } from './api-tokens.repository';

/** A new token. `token` is not stored and cannot be read again. */
export interface IssuedToken extends ApiTokenRow {
  token: string;
}

/** Issues another API token to the user; `name` describes its purpose. It does not expire. */
export async function issueToken(tx: Tx, userId: number, name: string): Promise<IssuedToken> {
  return issue(tx, userId, { name, is_session: false });
}

/** Issues a token for a sign-in or sign-up; it expires after 30 days without use. */
export async function issueSessionToken(
  tx: Tx,
  userId: number,
  name: 'sign-in' | 'sign-up',
): Promise<IssuedToken> {
  return issue(tx, userId, { name, is_session: true });
}

async function issue(
  tx: Tx,
  user_id: number,
  kind: { name: string; is_session: boolean },
): Promise<IssuedToken> {
  const token = generateToken();
  const row = await insertApiToken(tx, { user_id, ...kind, token_hash: hashToken(token) });
  return { ...row, token };
}
