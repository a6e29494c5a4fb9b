import { ADDRESS_COLUMNS } from '../../geography/addresses/addresses.repository';
import type { Tx } from '../../platform/database/transaction';

interface AddressIds {
  bill_address_id: number | null;
  ship_address_id: number | null;
}

const COPY = `INSERT INTO addresses (${ADDRESS_COLUMNS}) SELECT ${ADDRESS_COLUMNS} FROM addresses`;

/**
 * Copies a saved address of a user for an order. One statement, which reads the user and the address from one snapshot:
 * another transaction may replace the saved address at any time (`saveUserAddresses`).
 * @returns the id of the copy; null if the user has no such address
 */
export async function copyUserAddress(
  tx: Tx,
  userId: number,
  column: keyof AddressIds,
): Promise<number | null> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    `${COPY} WHERE id = (SELECT ?? FROM users WHERE id = ?) RETURNING id`,
    [column, userId],
  );
  return rows[0]?.id ?? null;
}

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
    'SELECT bill_address_id, ship_address_id FROM users WHERE id = ? FOR NO KEY UPDATE',
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
