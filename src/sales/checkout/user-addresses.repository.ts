import { ADDRESS_COLUMNS } from '../../geography/addresses/addresses.repository';
import type { Tx } from '../../platform/database/transaction';

interface AddressIds {
  bill_address_id: number | null;
  ship_address_id: number | null;
}

/** Returns the ids of a user's saved addresses; null for an address that is not saved. */
export async function findUserAddresses(tx: Tx, userId: number): Promise<AddressIds> {
  const saved = await tx<AddressIds & { id: number }>('users')
    .where({ id: userId })
    .first('bill_address_id', 'ship_address_id');
  return saved ?? { bill_address_id: null, ship_address_id: null };
}

const COPY = `INSERT INTO addresses (${ADDRESS_COLUMNS}) SELECT ${ADDRESS_COLUMNS} FROM addresses`;

/**
 * Replaces a user's saved addresses with copies of an order's addresses; later changes of one do not affect the other.
 * Two statements.
 */
export async function saveUserAddresses(
  tx: Tx,
  userId: number,
  addresses: { bill_address_id: number; ship_address_id: number },
): Promise<void> {
  const { rows } = await tx.raw<{ rows: AddressIds[] }>(
    'SELECT bill_address_id, ship_address_id FROM users WHERE id = ? FOR UPDATE',
    [userId],
  );
  await tx.raw(
    `WITH bill AS (${COPY} WHERE id = :bill RETURNING id),
          ship AS (${COPY} WHERE id = :ship RETURNING id),
          saved AS (
            UPDATE users SET bill_address_id = bill.id, ship_address_id = ship.id FROM bill, ship
             WHERE users.id = :user)
     DELETE FROM addresses WHERE id = ANY (:before::integer[])`,
    {
      user: userId,
      bill: addresses.bill_address_id,
      ship: addresses.ship_address_id,
      before: rows.flatMap((row) => [row.bill_address_id, row.ship_address_id]),
    },
  );
}
