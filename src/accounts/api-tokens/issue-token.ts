import type { Tx } from '../../platform/database/transaction';
import { hashToken, generateToken } from '../../access/tokens';
import { insertApiToken, type ApiTokenRow } from './api-tokens.repository';

/** A token that was just made; `token` can be read nowhere again. */
export interface IssuedToken extends ApiTokenRow {
  token: string;
}

/** Gives the user one more API token; `name` says what it is for. */
export async function issueToken(tx: Tx, userId: number, name: string): Promise<IssuedToken> {
  const token = generateToken();
  const row = await insertApiToken(tx, { user_id: userId, name, token_hash: hashToken(token) });
  return { ...row, token };
}
