import { ADDRESS_COLUMNS, type AddressRow } from '../../geography/addresses/addresses.repository';
import type { BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';

/**
 * Copies a saved address of a user for an order. One statement, which reads the user and the address from one snapshot:
 * another transaction may replace the saved address at any time (`buildUserAddresses`).
 * @returns the copy; undefined if the user has no such address
 */
export async function copyUserAddress(
  tx: Tx,
  userId: number,
  column: 'bill_address_id' | 'ship_address_id',
): Promise<AddressRow | undefined> {
  const { rows } = await tx.raw<{ rows: AddressRow[] }>(
    `INSERT INTO addresses (${ADDRESS_COLUMNS}) SELECT ${ADDRESS_COLUMNS} FROM addresses WHERE id = (SELECT ?? FROM users WHERE id = ?) RETURNING *`,
    [column, userId],
  );
  return rows[0];
}

/**
 * Builds the statements that replace a user's default addresses with copies of an order's stored addresses; later changes of one do
 * not affect the other. An equal address that the user keeps becomes the default instead of a copy, and equal addresses of the
 * order become one. The first statement locks the user, so that the second one sees the addresses as they are then.
 */
export function buildUserAddresses(
  userId: number,
  { bill_address_id, ship_address_id }: { bill_address_id: number; ship_address_id: number },
): BoundStatement[] {
  return [
    { statement: LOCK_USER, bindings: [userId] },
    { statement: SAVE_ADDRESSES, bindings: [userId, bill_address_id, ship_address_id] },
  ];
}

const LOCK_USER = { name: 'lock_user_addresses', sql: 'SELECT id FROM users WHERE id = ? FOR NO KEY UPDATE' };

const SAVE_ADDRESSES = {
  name: 'save_user_addresses',
  sql: `WITH given AS (SELECT ?::integer AS user_id, ?::integer AS bill_id, ?::integer AS ship_id),
          before AS (SELECT bill_address_id, ship_address_id FROM users JOIN given ON users.id = given.user_id),
          kept_bill AS (${selectKept('bill')}),
          kept_ship AS (${selectKept('ship')}),
          new_bill AS (${copyAddress('bill')} RETURNING id),
          equal AS (SELECT FROM given JOIN addresses b ON b.id = bill_id JOIN addresses s ON s.id = ship_id
                     WHERE ${columnsOf('b')} = ${columnsOf('s')}),
          new_ship AS (${copyAddress('ship')} AND NOT EXISTS (SELECT FROM equal) RETURNING id),
          bill AS (SELECT id FROM kept_bill UNION ALL SELECT id FROM new_bill),
          ship AS (SELECT id FROM kept_ship UNION ALL SELECT id FROM new_ship
            UNION ALL SELECT id FROM new_bill WHERE EXISTS (SELECT FROM equal)),
          saved AS (
            UPDATE users SET bill_address_id = bill.id, ship_address_id = ship.id FROM bill, ship, given
             WHERE users.id = given.user_id)
     DELETE FROM addresses USING before WHERE addresses.id IN (bill_address_id, ship_address_id)
        AND NOT EXISTS (SELECT FROM user_addresses WHERE address_id = addresses.id)`,
};

/** Selects the address that the user keeps and whose columns equal those of an address of the order. */
function selectKept(name: 'bill' | 'ship'): string {
  return `SELECT a.id FROM given JOIN user_addresses u ON u.user_id = given.user_id JOIN addresses a ON a.id = u.address_id
            JOIN addresses o ON o.id = given.${name}_id
           WHERE ${columnsOf('a')} = ${columnsOf('o')} ORDER BY a.id LIMIT 1`;
}

function copyAddress(name: 'bill' | 'ship'): string {
  return `INSERT INTO addresses (${ADDRESS_COLUMNS}) SELECT ${ADDRESS_COLUMNS} FROM addresses
           WHERE id = (SELECT ${name}_id FROM given) AND NOT EXISTS (SELECT FROM kept_${name})`;
}

function columnsOf(row: string): string {
  return `to_jsonb(${row}) - 'id' - 'created_at' - 'updated_at'`;
}
