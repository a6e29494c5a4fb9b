import type { Tx } from '../../platform/database/transaction';
import { hashToken, newToken } from '../tokens';
import { insertApiToken, type ApiTokenRow } from './api-tokens.repository';

/** A token that was just made; `token` can be read nowhere again. */
export interface IssuedToken extends ApiTokenRow {
  token: string;
}

/** Gives the user one more API token; `name` says what it is for. It does not end by itself. */
export async function issueToken(tx: Tx, userId: number, name: string): Promise<IssuedToken> {
  return issue(tx, userId, { name, is_session: false });
}

/** Gives the user a token for having signed in or up; it ends when it is not used for 30 days. */
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
  const token = newToken();
  const row = await insertApiToken(tx, { user_id, ...kind, token_hash: hashToken(token) });
  return { ...row, token };
}
