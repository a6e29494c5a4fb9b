import type { Tx } from '../../platform/database/transaction';
import { hashToken, generateToken } from '../../access/tokens';
import { insertApiToken, type ApiTokenRow } from './api-tokens.repository';

/** A new token. `token` is not stored and cannot be read again. */
export interface IssuedToken extends ApiTokenRow {
  token: string;
}

/** Creates an API token for a user. `name` describes its use. */
export async function issueToken(tx: Tx, userId: number, name: string): Promise<IssuedToken> {
  const token = generateToken();
  const row = await insertApiToken(tx, { user_id: userId, name, token_hash: hashToken(token) });
  return { ...row, token };
}
