import { copyAddress } from '../../geography/addresses/addresses.repository';
import type { Tx } from '../../platform/database/transaction';

interface AddressIds {
  bill_address_id: number | null;
  ship_address_id: number | null;
}

/** The addresses a user has saved; both null for one who saved none. */
export async function findUserAddresses(tx: Tx, userId: number): Promise<AddressIds> {
  const saved = await tx<AddressIds & { id: number }>('users')
    .where({ id: userId })
    .first('bill_address_id', 'ship_address_id');
  return saved ?? { bill_address_id: null, ship_address_id: null };
}

/** Saves copies of an order's addresses as the user's own: changing either later leaves the other. Three statements. */
export async function saveUserAddresses(
  tx: Tx,
  userId: number,
  addresses: { bill_address_id: number; ship_address_id: number },
): Promise<void> {
  const bill_address_id = await copyAddress(tx, addresses.bill_address_id);
  const ship_address_id = await copyAddress(tx, addresses.ship_address_id);
  await tx('users').where({ id: userId }).update({ bill_address_id, ship_address_id });
}
