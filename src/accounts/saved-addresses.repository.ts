import { loadAddresses, type AddressGraph } from '../geography/addresses/addresses.repository';
import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';

/** A saved address of a user. */
export interface SavedAddress extends AddressGraph {
  default_bill: boolean;
  default_ship: boolean;
}

/** The columns of a user that refer to the default addresses. */
export interface DefaultAddressIds {
  bill_address_id: number | null;
  ship_address_id: number | null;
}

/** Loads the saved addresses of a user by id, including the default ones. Two statements. */
export async function loadSavedAddresses(db: Db, userId: number): Promise<SavedAddress[]> {
  const { rows } = await db.raw<{ rows: { id: number; default_bill: boolean; default_ship: boolean }[] }>(
    `SELECT saved.id, coalesce(saved.id = users.bill_address_id, false) AS default_bill,
            coalesce(saved.id = users.ship_address_id, false) AS default_ship
       FROM users, LATERAL (SELECT bill_address_id AS id UNION SELECT ship_address_id
                            UNION SELECT address_id FROM user_addresses WHERE user_id = users.id) saved
      WHERE users.id = ? AND saved.id IS NOT NULL
      ORDER BY saved.id`,
    [userId],
  );
  const addresses = await loadAddresses(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, ...defaults }) => {
    const address = addresses.get(id);
    return address === undefined ? [] : [{ ...address, ...defaults }];
  });
}

/** Adds an address to those that the user keeps. Repeatable. */
export async function keepAddress(tx: Tx, userId: number, addressId: number): Promise<void> {
  await tx('user_addresses')
    .insert({ user_id: userId, address_id: addressId })
    .onConflict('address_id')
    .ignore();
}

/** Sets default addresses of a locked user. */
export async function setDefaultAddresses(
  tx: Tx,
  userId: number,
  ids: Partial<DefaultAddressIds>,
): Promise<void> {
  if (Object.keys(ids).length > 0) await tx('users').where({ id: userId }).update(ids);
}

/** Deletes an address that a user keeps and that is no default address. */
export async function deleteSavedAddress(tx: Tx, addressId: number): Promise<void> {
  await tx('user_addresses').where({ address_id: addressId }).delete();
  await tx('addresses').where({ id: addressId }).delete();
}

/** Deletes addresses that were defaults, except those that the user keeps. */
export async function deleteReplacedAddresses(tx: Tx, ids: readonly (number | null)[]): Promise<void> {
  await tx.raw(
    `DELETE FROM addresses WHERE id = ANY (?::integer[])
        AND NOT EXISTS (SELECT FROM user_addresses WHERE address_id = addresses.id)`,
    [ids.filter((id) => id !== null)],
  );
}
