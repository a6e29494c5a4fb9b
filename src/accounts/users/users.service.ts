import type { AccountsCtx, Ctx } from '../../access/context';
import { isAdmin, isFullAdmin } from '../../access/actor';
import { readMetadata } from '../../access/metadata';
import {
  INVALID,
  InvalidResource,
  NotAuthorized,
  type FieldErrors,
  requireFound,
} from '../../platform/errors';
import { deleteReplacedAddresses, loadSavedAddresses } from '../saved-addresses.repository';
import { deleteAddresses } from '../../geography/addresses/addresses.repository';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { authorizeAdmin, authorizeSelf } from '../../access/authorization';
import { clientOf, LIMITS } from '../../access/limits';
import { revokeOtherApiTokens } from '../token-store/api-tokens.repository';
import { rejectEndedToken } from '../token-store/ended-token';
import { issueSessionToken } from '../token-store/issue-token';
import { hashNewPassword } from '../passwords';
import { readVatId } from '../vat-id';
import { deletePasswordResets } from '../password-resets.repository';
import { checkCurrentPassword } from './current-password';
import { checkConfirmation } from './password-confirmation';
import { authorizeAccountChange } from './account-policy';
import { resolveSavedAddresses, storeSavedAddresses } from './saved-addresses';
import {
  deleteUser,
  findUser,
  findUserByEmail,
  findUserGraph,
  findUserPage,
  hasCompletedOrders,
  hasStaffRole,
  insertUser,
  isLastAdmin,
  lockAdminRole,
  lockUser,
  replaceRoles,
  updateUser,
  type UserGraph,
  type UserRow,
} from './users.repository';
import type { UserAttributes, UserChanges } from './users.schema';

/** Returns one page of users. Takes a constant number of queries. */
export async function listUsers(ctx: Ctx, list: ListQuery): Promise<Page<UserGraph>> {
  return findUserPage(ctx.db, list);
}

/** Returns a user without roles and addresses. @throws NotFound also unless the actor is that user or an admin */
export async function getUserRow(ctx: AccountsCtx, id: number): Promise<UserRow> {
  authorizeSelf(ctx.actor, id);
  return requireFound(await findUser(ctx.db, id));
}

/** Returns the user with this e-mail address, in any letter case. @throws NotFound; NotAuthorized unless admin */
export async function getUserByEmail(ctx: AccountsCtx, email: string): Promise<UserRow> {
  authorizeAdmin(ctx.actor);
  return requireFound(await findUserByEmail(ctx.db, email));
}

/** Returns a user with roles and addresses. @throws NotFound also unless the actor is that user or an admin */
export async function getUser(ctx: Ctx, id: number): Promise<UserGraph> {
  authorizeSelf(ctx.actor, id);
  return loadUser(ctx.db, id);
}

/** Returns the user who sends the request. @throws NotAuthorized for guests */
export async function getOwnUser(ctx: Ctx): Promise<UserGraph> {
  return loadUser(ctx.db, getOwnUserId(ctx));
}

/** Returns the id of the user who sends the request. @throws NotAuthorized for guests */
export function getOwnUserId({ actor }: Pick<Ctx, 'actor'>): number {
  if (actor.kind === 'guest') throw new NotAuthorized();
  return actor.user_id;
}

async function loadUser(db: Ctx['db'], id: number): Promise<UserGraph> {
  return requireFound(await findUserGraph(db, id));
}

/**
 * Creates a user. The role defaults to `customer`; only full administrators may set roles.
 * @returns the user and a first API token, which cannot be read again
 * @throws InvalidResource; NotAuthorized for roles from other members of staff
 */
export async function createUser(
  ctx: AccountsCtx,
  attributes: UserAttributes,
): Promise<{ user: UserGraph; token: string }> {
  checkConfirmation(attributes);
  const roles = readRoles(ctx, attributes) ?? ['customer'];
  const addresses = await resolveSavedAddresses(ctx.db, attributes, null);
  const password_digest = await hashNewPassword(ctx.db, attributes);
  return withTransaction(ctx, async (tx) => {
    const { addressIds } = await storeSavedAddresses(tx, addresses, null);
    const metadata = readMetadata(ctx.actor, attributes);
    const { email } = attributes;
    const vat_id = readVatId(attributes.vat_id) ?? null;
    const id = await insertUser(tx, { email, vat_id, password_digest, ...addressIds, ...metadata });
    await setRoles(tx, id, roles);
    const { token } = await issueSessionToken(tx, id, 'sign-up');
    return { user: await loadUser(tx, id), token };
  });
}

/**
 * Creates a user for the request of a guest, a customer or an admin, as `createUser`.
 * @throws TooManyAttempts for too many sign-ups from one address, except by admins
 */
export async function signUp(ctx: Ctx, attributes: UserAttributes): ReturnType<typeof createUser> {
  if (!isAdmin(ctx.actor)) {
    await ctx.limits.take([{ limit: LIMITS.signUpFromAddress, key: clientOf(ctx.clientAddress) }]);
  }
  return createUser(ctx, attributes);
}

/**
 * Updates a user. A new password or e-mail address revokes all other tokens of the user; mails tell both addresses.
 * Users who change their own password or e-mail address give the current password. Locks the user, and before that the admin role if roles are given.
 * @throws NotFound also unless the actor is that user or an admin; NotAuthorized as `authorizeAccountChange`;
 *   InvalidResource also if the store would have no admin
 */
export async function changeUser(ctx: Ctx, id: number, changes: UserChanges): Promise<UserGraph> {
  const before = await getUserRow(ctx, id);
  checkConfirmation(changes);
  const { email, password } = changes;
  if (password !== undefined || (email !== undefined && email !== before.email)) {
    await checkCurrentPassword(ctx, id, changes);
  }
  const password_digest =
    password === undefined
      ? undefined
      : await hashNewPassword(ctx.db, { password, email: email ?? before.email });
  const roles = readRoles(ctx, changes);
  return withTransaction(ctx, async (tx) => {
    if (roles !== undefined) await lockAdminRole(tx);
    const user = requireFound(await lockUser(tx, id));
    const change = {
      password: password !== undefined,
      email: email !== undefined && email !== user.email,
    };
    authorizeAccountChange(ctx.actor, { id, isStaff: await hasStaffRole(tx, id) }, change);
    if (change.password || change.email || roles !== undefined) await rejectEndedToken(tx, ctx.actor);
    const addresses = await resolveSavedAddresses(tx, changes, user);
    const { addressIds, replaced } = await storeSavedAddresses(tx, addresses, user);
    const metadata = readMetadata(ctx.actor, changes);
    const vat_id = readVatId(changes.vat_id);
    const values = omitUndefined({ email, password_digest, vat_id });
    await updateUser(tx, id, { ...values, ...addressIds, ...metadata });
    await deleteReplacedAddresses(tx, replaced);
    // A link in a mail to an earlier address must not open the account.
    if (change.password || change.email) {
      await deletePasswordResets(tx, id);
      await revokeOtherApiTokens(tx, { user_id: id, except: findOwnTokenId(ctx, id) }, ctx.now());
    }
    if (roles !== undefined) await changeRoles(tx, id, roles);
    if (change.email && email !== undefined) {
      ctx.mailer.post(tx, 'email_changed', { to: user.email });
      ctx.mailer.post(tx, 'new_email', { to: email });
    }
    return loadUser(tx, id);
  });
}

/**
 * Deletes a user with tokens and saved addresses; open orders become orders of a guest. Locks the admin role and the
 * user.
 * @throws NotFound also unless the actor is that user or an admin; NotAuthorized as `authorizeAccountChange`;
 *   InvalidResource if the user has complete orders or is the only admin
 */
export async function removeUser(ctx: Ctx, id: number): Promise<void> {
  authorizeSelf(ctx.actor, id);
  await withTransaction(ctx, async (tx) => {
    await lockAdminRole(tx);
    requireFound(await lockUser(tx, id));
    const target = { id, isStaff: await hasStaffRole(tx, id) };
    authorizeAccountChange(ctx.actor, target, { existence: true });
    if (await hasCompletedOrders(tx, id)) {
      throw new InvalidResource({ base: ['Users with completed orders cannot be deleted'] });
    }
    if (await isLastAdmin(tx, id)) {
      throw new InvalidResource({ base: ['The only admin cannot be deleted'] });
    }
    const addresses = await loadSavedAddresses(tx, id);
    await deleteUser(tx, id);
    await deleteAddresses(
      tx,
      addresses.map((address) => address.id),
    );
  });
}

/**
 * Returns the roles in the body; undefined if there are none, or unless the actor is a member of staff.
 * @throws NotAuthorized for members of staff who are not full administrators
 */
function readRoles(
  ctx: Pick<Ctx, 'actor'>,
  attributes: Pick<UserChanges, 'roles'>,
): readonly string[] | null | undefined {
  if (attributes.roles === undefined || !isAdmin(ctx.actor)) return undefined;
  if (!isFullAdmin(ctx.actor)) throw new NotAuthorized();
  return attributes.roles;
}

/** Sets the roles unless that would remove the only admin. Expects the admin role locked. */
async function changeRoles(tx: Tx, userId: number, roles: readonly string[] | null): Promise<void> {
  const isOnlyAdmin = await isLastAdmin(tx, userId);
  await setRoles(tx, userId, roles);
  if (isOnlyAdmin && roles?.includes('admin') !== true) {
    throw new InvalidResource({ roles: ['cannot be taken from the only admin'] });
  }
}

async function setRoles(tx: Tx, userId: number, roles: readonly string[] | null): Promise<void> {
  const errors: FieldErrors = { roles: [INVALID] };
  if (roles === null || !(await replaceRoles(tx, userId, roles))) throw new InvalidResource(errors);
}

/** Returns the id of the token of the request if it belongs to the user. */
function findOwnTokenId({ actor }: Ctx, userId: number): number | null {
  return actor.kind !== 'guest' && actor.user_id === userId ? actor.token_id : null;
}
