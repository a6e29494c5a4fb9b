import type { Tx } from '../../platform/database/transaction';
import { EVERYTHING } from '../../access/scopes';
import { hashToken, generateToken } from '../../access/tokens';
import type { ApiTokenRow } from './api-tokens.definition';
import { deleteOldestSessionTokens, insertApiToken, type NewApiToken } from './api-tokens.repository';

/** A new token. `token` is not stored and cannot be read again. */
export interface IssuedToken extends ApiTokenRow {
  token: string;
}

/** A name that describes the purpose of a token, and its limits. */
export type TokenTerms = Pick<NewApiToken, 'name' | 'scopes' | 'expires_at'>;

/** Issues another API token to the user. */
export async function issueToken(tx: Tx, userId: number, terms: TokenTerms): Promise<IssuedToken> {
  return issue(tx, userId, { ...terms, is_session: false });
}

/** More sign-ins of a user end those that have not been used for longest. */
const MOST_SESSIONS = 100;

/** Issues a token for a sign-in or sign-up; it expires after 30 days without use. */
export async function issueSessionToken(
  tx: Tx,
  userId: number,
  name: 'sign-in' | 'sign-up',
): Promise<IssuedToken> {
  const issued = await issue(tx, userId, { name, scopes: [EVERYTHING], expires_at: null, is_session: true });
  await deleteOldestSessionTokens(tx, userId, MOST_SESSIONS);
  return issued;
}

async function issue(
  tx: Tx,
  user_id: number,
  kind: TokenTerms & { is_session: boolean },
): Promise<IssuedToken> {
  const token = generateToken();
  const row = await insertApiToken(tx, { user_id, ...kind, token_hash: hashToken(token) });
  return { ...row, token };
}
