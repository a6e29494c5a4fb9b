import { ADDRESS_COLUMNS, type AddressRow } from '../../geography/addresses/addresses.repository';
import type { Tx } from '../../platform/database/transaction';

interface AddressIds {
  bill_address_id: number | null;
  ship_address_id: number | null;
}

const COPY = `INSERT INTO addresses (${ADDRESS_COLUMNS}) SELECT ${ADDRESS_COLUMNS} FROM addresses`;

/** Selects the addresses that a user keeps and whose columns equal those of another address. */
const SELECT_KEPT = `SELECT a.id FROM user_addresses u JOIN addresses a ON a.id = u.address_id
       WHERE u.user_id = :user AND to_jsonb(a) - 'id' - 'created_at' - 'updated_at'`;
const ROW_OF = (name: 'bill' | 'ship'): string =>
  `SELECT to_jsonb(o) - 'id' - 'created_at' - 'updated_at' FROM addresses o WHERE o.id = :${name}`;

/**
 * Copies a saved address of a user for an order. One statement, which reads the user and the address from one snapshot:
 * another transaction may replace the saved address at any time (`saveUserAddresses`).
 * @returns the copy; undefined if the user has no such address
 */
export async function copyUserAddress(
  tx: Tx,
  userId: number,
  column: keyof AddressIds,
): Promise<AddressRow | undefined> {
  const { rows } = await tx.raw<{ rows: AddressRow[] }>(
    `${COPY} WHERE id = (SELECT ?? FROM users WHERE id = ?) RETURNING *`,
    [column, userId],
  );
  return rows[0];
}

/**
 * Replaces a user's default addresses with copies of an order's addresses; later changes of one do not affect the
 * other. An equal address that the user keeps becomes the default instead of a copy, and equal addresses of the order become one.
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
    `WITH kept_bill AS (${SELECT_KEPT} = (${ROW_OF('bill')}) ORDER BY a.id LIMIT 1),
          kept_ship AS (${SELECT_KEPT} = (${ROW_OF('ship')}) ORDER BY a.id LIMIT 1),
          new_bill AS (${COPY} WHERE id = :bill AND NOT EXISTS (SELECT FROM kept_bill) RETURNING id),
          equal AS (SELECT WHERE (${ROW_OF('bill')}) = (${ROW_OF('ship')})),
          new_ship AS (${COPY} WHERE id = :ship AND NOT EXISTS (SELECT FROM kept_ship)
            AND NOT EXISTS (SELECT FROM equal) RETURNING id),
          bill AS (SELECT id FROM kept_bill UNION ALL SELECT id FROM new_bill),
          ship AS (SELECT id FROM kept_ship UNION ALL SELECT id FROM new_ship
            UNION ALL SELECT id FROM new_bill WHERE EXISTS (SELECT FROM equal)),
          saved AS (
            UPDATE users SET bill_address_id = bill.id, ship_address_id = ship.id FROM bill, ship
             WHERE users.id = :user)
     DELETE FROM addresses WHERE id = ANY (:before::integer[])
        AND NOT EXISTS (SELECT FROM user_addresses WHERE address_id = addresses.id)`,
    {
      user: userId,
      bill: addresses.bill_address_id,
      ship: addresses.ship_address_id,
      before: rows.flatMap((row) => [row.bill_address_id, row.ship_address_id]),
    },
  );
}
