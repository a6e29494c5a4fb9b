import type { Ctx } from '../../access/context';
import { insertAddress, updateAddress } from '../../geography/addresses/addresses.repository';
import { resolveAddress } from '../../geography/addresses/addresses.service';
import { InvalidResource, requireFound } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { authorizeAccountChange } from '../users/account-policy';
import { hasStaffRole, lockUser, type UserRow } from '../users/users.repository';
import { getUserRow } from '../users/users.service';
import {
  deleteSavedAddress,
  keepAddress,
  loadSavedAddresses,
  setDefaultAddresses,
  type DefaultAddressIds,
  type SavedAddress,
} from '../saved-addresses.repository';
import type { SavedAddressAttributes } from './saved-addresses.schema';

/** Maximum number of saved addresses of a user. */
const MAX_ADDRESSES = 100;

/** Returns the saved addresses of a user, by id. @throws NotFound as `getUserRow` */
export async function listSavedAddresses(ctx: Ctx, userId: number): Promise<SavedAddress[]> {
  await getUserRow(ctx, userId);
  return loadSavedAddresses(ctx.db, userId);
}

/** Saves another address of a user. @throws as `changeOf`; InvalidResource also for too many addresses */
export async function createSavedAddress(
  ctx: Ctx,
  userId: number,
  input: SavedAddressAttributes,
): Promise<SavedAddress> {
  return changeOf(ctx, userId, async (tx, user) => {
    if ((await loadSavedAddresses(tx, userId)).length >= MAX_ADDRESSES) {
      throw new InvalidResource({ base: [`must be at most ${MAX_ADDRESSES} addresses`] });
    }
    const resolved = await resolveAddress(tx, { ...input, id: undefined });
    if ('errors' in resolved) throw new InvalidResource(resolved.errors);
    const id = await insertAddress(tx, resolved.address);
    await keepAddress(tx, userId, id);
    await applyDefaults(tx, user, id, input);
    return getSavedAddress(tx, userId, id);
  });
}

/** Changes a saved address; missing attributes keep their values. @throws as `changeOf`; NotFound for an unknown address */
export async function changeSavedAddress(
  ctx: Ctx,
  { user_id, id }: { user_id: number; id: number },
  input: SavedAddressAttributes,
): Promise<SavedAddress> {
  return changeOf(ctx, user_id, async (tx, user) => {
    const current = await getSavedAddress(tx, user_id, id);
    const resolved = await resolveAddress(tx, { ...input, id: undefined }, current);
    if ('errors' in resolved) throw new InvalidResource(resolved.errors);
    await updateAddress(tx, id, resolved.address);
    await applyDefaults(tx, user, id, input);
    return getSavedAddress(tx, user_id, id);
  });
}

/** Deletes a saved address. A default address leaves no default. @throws as `changeOf`; NotFound for an unknown address */
export async function removeSavedAddress(
  ctx: Ctx,
  { user_id, id }: { user_id: number; id: number },
): Promise<void> {
  await changeOf(ctx, user_id, async (tx, user) => {
    await getSavedAddress(tx, user_id, id);
    await applyDefaults(tx, user, id, { default_bill: false, default_ship: false });
    await deleteSavedAddress(tx, id);
  });
}

/**
 * Runs a change of the addresses of a user, who is locked.
 * @throws NotFound unless the actor is that user or an admin; NotAuthorized as `authorizeAccountChange`
 */
async function changeOf<T>(
  ctx: Ctx,
  userId: number,
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  await getUserRow(ctx, userId);
  return withTransaction(ctx, async (tx) => {
    const user = requireFound(await lockUser(tx, userId));
    const account = { id: userId, isStaff: await hasStaffRole(tx, userId) };
    authorizeAccountChange(ctx.actor, account, {});
    return work(tx, user);
  });
}

async function getSavedAddress(tx: Tx, userId: number, id: number): Promise<SavedAddress> {
  return requireFound((await loadSavedAddresses(tx, userId)).find((address) => address.id === id));
}

/** Makes the address a default one or not. The addresses that were defaults are kept. */
async function applyDefaults(
  tx: Tx,
  user: UserRow,
  addressId: number,
  { default_bill, default_ship }: Pick<SavedAddressAttributes, 'default_bill' | 'default_ship'>,
): Promise<void> {
  const changes: Partial<DefaultAddressIds> = {};
  const columns = [
    ['bill_address_id', default_bill],
    ['ship_address_id', default_ship],
  ] as const;
  for (const [column, isDefault] of columns) {
    const before = user[column];
    if (isDefault == null || isDefault === (before === addressId)) continue;
    if (before !== null) await keepAddress(tx, user.id, before);
    changes[column] = isDefault ? addressId : null;
  }
  await setDefaultAddresses(tx, user.id, changes);
}
