import type { AccountsCtx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getUserRow } from '../users/users.service';
import { findApiTokenPage, revokeApiToken, type ApiTokenRow } from './api-tokens.repository';
import type { ApiTokenAttributes } from './api-tokens.schema';
import { issueToken, type IssuedToken } from './issue-token';

/** Returns one page of the tokens of a user. @throws NotFound unless the actor is that user or an admin */
export async function listApiTokens(
  ctx: AccountsCtx,
  userId: number,
  list: ListQuery,
): Promise<Page<ApiTokenRow>> {
  await getUserRow(ctx, userId);
  return findApiTokenPage(ctx.db, userId, list);
}

/** Creates an API token for a user. @throws NotFound unless the actor is that user or an admin */
export async function createApiToken(
  ctx: AccountsCtx,
  userId: number,
  attributes: ApiTokenAttributes,
): Promise<IssuedToken> {
  await getUserRow(ctx, userId);
  return withTransaction(ctx, (tx) => issueToken(tx, userId, attributes.name ?? ''));
}

/** Revokes a token with immediate effect. Repeating changes nothing. @throws NotFound */
export async function removeApiToken(
  ctx: AccountsCtx,
  token: { user_id: number; id: number },
): Promise<void> {
  await getUserRow(ctx, token.user_id);
  await withTransaction(ctx, async (tx) => {
    if (!(await revokeApiToken(tx, token, ctx.now()))) throw new NotFound();
  });
}
