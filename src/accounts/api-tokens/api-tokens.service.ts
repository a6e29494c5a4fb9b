import { EVERYTHING } from '../../access/scopes';
import { hasLimitedToken, isFullAdmin } from '../../access/actor';
import type { AccountsCtx } from '../../access/context';
import { InvalidResource, NotAuthorized, NotFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getUserRow } from '../users/users.service';
import type { ApiTokenRow } from '../token-store/api-tokens.definition';
import { apiTokenRecords, revokeApiToken } from '../token-store/api-tokens.repository';
import type { ApiTokenBody } from './api-tokens.schema';
import { rejectEndedToken } from '../token-store/ended-token';
import { issueToken, type IssuedToken } from '../token-store/issue-token';

/** Returns one page of the tokens of a user. @throws NotFound, NotAuthorized as `authorizeTokens` */
export async function listApiTokens(
  ctx: AccountsCtx,
  userId: number,
  list: ListQuery,
): Promise<Page<ApiTokenRow>> {
  await authorizeTokens(ctx, userId);
  return apiTokenRecords.findPage(ctx.db, list, { user_id: userId });
}

/**
 * Creates an API token for a user, with at most the user's permissions at the time of each request.
 * @throws NotFound, NotAuthorized as `authorizeTokenChange`; InvalidResource if the expiry has passed
 */
export async function createApiToken(
  ctx: AccountsCtx,
  userId: number,
  body: ApiTokenBody,
): Promise<IssuedToken> {
  await authorizeTokenChange(ctx, userId);
  const terms = readTerms(body);
  if (terms.expires_at !== null && terms.expires_at <= ctx.now()) {
    throw new InvalidResource({ expires_at: ['must be in the future'] });
  }
  return withTransaction(ctx, async (tx) => {
    // The new token refers to the user, so this waits for a change of the password, which ends the token of the request.
    const issued = await issueToken(tx, userId, terms);
    await rejectEndedToken(tx, ctx.actor);
    return issued;
  });
}

/** Reads the name and the limits. Limits apply inside the wrapper, or else next to it. */
function readTerms({ api_token, ...beside }: ApiTokenBody) {
  const scopes = api_token.scopes ?? beside.scopes ?? [EVERYTHING];
  return {
    name: api_token.name ?? '',
    scopes: scopes.includes(EVERYTHING) ? [EVERYTHING] : scopes,
    expires_at: api_token.expires_at ?? beside.expires_at ?? null,
  };
}

/** Revokes a token with immediate effect. Repeating changes nothing. @throws NotFound, NotAuthorized as `authorizeTokenChange` */
export async function removeApiToken(
  ctx: AccountsCtx,
  token: { user_id: number; id: number },
): Promise<void> {
  await authorizeTokenChange(ctx, token.user_id);
  await withTransaction(ctx, async (tx) => {
    if (!(await revokeApiToken(tx, token, ctx.now()))) throw new NotFound();
  });
}

/**
 * Authorizes the user and full administrators to see the tokens of a user.
 * @throws NotFound if the actor may not see the user; NotAuthorized for other members of staff
 */
async function authorizeTokens(ctx: AccountsCtx, userId: number): Promise<void> {
  await getUserRow(ctx, userId);
  const { actor } = ctx;
  const isOwn = actor.kind !== 'guest' && actor.user_id === userId;
  if (!isOwn && !isFullAdmin(actor)) throw new NotAuthorized();
}

/** Authorizes changes of the tokens of a user, as `authorizeTokens`; a token with limits cannot make one with fewer. */
export async function authorizeTokenChange(ctx: AccountsCtx, userId: number): Promise<void> {
  await authorizeTokens(ctx, userId);
  if (hasLimitedToken(ctx.actor)) throw new NotAuthorized();
}
