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

/** The address columns of a user. */
interface AddressIds {
  bill_address_id: number | null;
  ship_address_id: number | null;
}

/** Both keys of both addresses; `bill_address_attributes` takes precedence over `bill_address`. */
type AddressInputs = { [K in Kind | `${Kind}_attributes`]?: AddressInput | undefined };

/** An address to store. `id` is the row to update; null means a new row. */
interface ResolvedAddress {
  id: number | null;
  values: AddressValues;
}

export type ResolvedAddresses = Partial<Record<Kind, ResolvedAddress>>;

/**
 * Resolves the addresses in the body of a user. An address with the id of the user's own address updates that one; any
 * other is a new address and must be complete. Writes nothing.
 * @throws InvalidResource with the errors of both addresses, under keys such as `bill_address.city`
 */
export async function resolveSavedAddresses(
  db: Db,
  inputs: AddressInputs,
  user: AddressIds | null,
): Promise<ResolvedAddresses> {
  const addresses: ResolvedAddresses = {};
  const errors: FieldErrors = {};
  for (const kind of KINDS) {
    const input = inputs[`${kind}_attributes`] ?? inputs[kind];
    if (input === undefined) continue;
    const ownId = user?.[`${kind}_id`] ?? null;
    const id = input.id != null && input.id === ownId ? ownId : null;
    const resolved = await resolveAddress(db, input, await findAddress(db, id));
    if ('errors' in resolved) Object.assign(errors, prefixErrors(kind, resolved.errors));
    else addresses[kind] = { id, values: resolved.address };
  }
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
  return addresses;
}

/**
 * Stores the addresses that `resolveSavedAddresses` returned.
 * @returns the new address columns of the user, and the ids of the addresses they replace
 */
export async function storeSavedAddresses(
  tx: Tx,
  addresses: ResolvedAddresses,
  user: AddressIds | null,
): Promise<{ addressIds: AddressIds; replaced: (number | null)[] }> {
  const before: AddressIds = {
    bill_address_id: user?.bill_address_id ?? null,
    ship_address_id: user?.ship_address_id ?? null,
  };
  const after = {
    ...before,
    ...omitUndefined({
      bill_address_id: await storeAddress(tx, addresses.bill_address),
      ship_address_id: await storeAddress(tx, addresses.ship_address),
    }),
  };
  const replaced = [before.bill_address_id, before.ship_address_id].filter(
    (id) => id !== after.bill_address_id && id !== after.ship_address_id,
  );
  return { addressIds: after, replaced };
}

async function storeAddress(tx: Tx, address: ResolvedAddress | undefined): Promise<number | undefined> {
  if (address === undefined) return undefined;
  if (address.id === null) return insertAddress(tx, address.values);
  await updateAddress(tx, address.id, address.values);
  return address.id;
}
