import { InvalidResource, type FieldErrors } from '../../platform/errors';
import {
  findAddress,
  insertAddress,
  updateAddress,
  type AddressValues,
} from '../../geography/addresses/addresses.repository';
import type { AddressInput } from '../../geography/addresses/addresses.schema';
import { resolveAddress } from '../../geography/addresses/addresses.service';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import { prefixErrors } from '../../platform/nested-errors';

type Kind = 'bill_address' | 'ship_address';
const KINDS: readonly Kind[] = ['bill_address', 'ship_address'];

/** The columns of a user that name their addresses. */
interface AddressIds {
  bill_address_id: number | null;
  ship_address_id: number | null;
}

/** Both spellings of both addresses; the Rails one goes first. */
type AddressInputs = { [K in Kind | `${Kind}_attributes`]?: AddressInput | undefined };

/** An address to store: into the user's own row (`id`), or as a new one (null). */
interface ResolvedAddress {
  id: number | null;
  values: AddressValues;
}

export type ResolvedAddresses = Partial<Record<Kind, ResolvedAddress>>;

/**
 * Reads the addresses a user's body carries. One that names the id of the user's own address changes that one; any
 * other is a new address, which must be complete. Writes nothing.
 * @throws InvalidResource with the errors of both, `bill_address.city`
 */
export async function resolveSavedAddresses(
  db: Db,
  inputs: AddressInputs,
  user: AddressIds | null,
): Promise<ResolvedAddresses> {
  const settled: ResolvedAddresses = {};
  const errors: FieldErrors = {};
  for (const kind of KINDS) {
    const input = inputs[`${kind}_attributes`] ?? inputs[kind];
    if (input === undefined) continue;
    const ownId = user?.[`${kind}_id`] ?? null;
    const id = input.id != null && input.id === ownId ? ownId : null;
    const resolved = await resolveAddress(db, input, await findAddress(db, id));
    if ('errors' in resolved) Object.assign(errors, prefixErrors(kind, resolved.errors));
    else settled[kind] = { id, values: resolved.address };
  }
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
  return settled;
}

/**
 * Stores what `resolveSavedAddresses` has settled.
 * @returns the columns that now name other addresses, and the addresses nothing names once they are written
 */
export async function storeSavedAddresses(
  tx: Tx,
  settled: ResolvedAddresses,
  user: AddressIds | null,
): Promise<{ addressIds: AddressIds; replaced: (number | null)[] }> {
  const before: AddressIds = {
    bill_address_id: user?.bill_address_id ?? null,
    ship_address_id: user?.ship_address_id ?? null,
  };
  const after = {
    ...before,
    ...omitUndefined({
      bill_address_id: await storeAddress(tx, settled.bill_address),
      ship_address_id: await storeAddress(tx, settled.ship_address),
    }),
  };
  const replaced = [before.bill_address_id, before.ship_address_id].filter(
    (id) => id !== after.bill_address_id && id !== after.ship_address_id,
  );
  return { addressIds: after, replaced };
}

async function storeAddress(tx: Tx, settled: ResolvedAddress | undefined): Promise<number | undefined> {
  if (settled === undefined) return undefined;
  if (settled.id === null) return insertAddress(tx, settled.values);
  await updateAddress(tx, settled.id, settled.values);
  return settled.id;
}
