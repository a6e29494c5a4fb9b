import {
  keepAddress,
  loadSavedAddresses,
  setDefaultAddresses,
} from '../../accounts/saved-addresses.repository';
import type { UserRow } from '../../accounts/users/users.repository';
import type { Tx } from '../../platform/database/transaction';
import { MAX_JSON_BYTES } from '../../platform/json-object';
import { noteOrderUpdates } from '../order/order-events.repository';
import { generateOrderToken } from '../order/order-token';
import type { Cause } from '../order/state-changes.repository';

/** The account that remains and the one that ends. */
export interface Merging {
  kept: UserRow;
  ended: UserRow;
}

/**
 * The references to accounts that a merge hands over as they are. Orders, addresses and cards need more than that; tokens, roles and
 * links for a new password end with the account.
 */
const HANDED_OVER = [
  ['orders', 'canceler_id'],
  ['orders', 'approver_id'],
  ['state_changes', 'user_id'],
  ['order_changes', 'user_id'],
  ['payment_operations', 'user_id'],
  ['refunds', 'user_id'],
  ['stock_movements', 'user_id'],
  ['imports', 'user_id'],
  ['merged_users', 'user_id'],
] as const;

/** Returns the ids of the orders and carts of a user, ascending. */
export async function findOrderIdsOfUser(tx: Tx, userId: number): Promise<number[]> {
  return tx('orders').where({ user_id: userId }).orderBy('id').pluck<number[]>('id');
}

/** Returns the ids of the carts of a user, ascending. */
export async function findCartIds(tx: Tx, userId: number): Promise<number[]> {
  return tx('orders')
    .where({ user_id: userId })
    .whereNull('completed_at')
    .orderBy('id')
    .pluck<number[]>('id');
}

/** Returns the id of the account into which another one was merged; null if it was not. */
export async function findAccountAfterMerge(tx: Tx, id: number): Promise<number | null> {
  const found = await tx('merged_users').where({ id }).first<{ user_id: number } | undefined>('user_id');
  return found?.user_id ?? null;
}

/**
 * Hands over the complete orders, which are locked, with new tokens, and adds that to their history. They keep their e-mail
 * address.
 */
export async function handOverSoldOrders(
  tx: Tx,
  { kept, ended }: Merging,
  { secret, cause }: { secret: Buffer; cause: Cause },
): Promise<void> {
  const ids = await tx('orders')
    .where({ user_id: ended.id })
    .whereNotNull('completed_at')
    .pluck<number[]>('id');
  const tokens = ids.map((id) => {
    const { token_seed, token_hash } = generateOrderToken(secret);
    return { id, seed: token_seed.toString('hex'), hash: token_hash.toString('hex') };
  });
  await tx.raw(
    `WITH moved AS (
       UPDATE orders SET user_id = :kept, token_seed = decode(renewed.seed, 'hex'), token_hash = decode(renewed.hash, 'hex')
         FROM json_to_recordset(:tokens::json) AS renewed (id integer, seed text, hash text)
        WHERE orders.id = renewed.id RETURNING orders.id, number)
     INSERT INTO order_changes (order_id, subject_type, subject_id, label, changes, user_id, reason)
     SELECT id, 'order', id, number, jsonb_build_object('user_id', jsonb_build_array(:ended::integer, :kept::integer)),
            :author::integer, :reason
       FROM moved ORDER BY id`,
    {
      kept: kept.id,
      ended: ended.id,
      tokens: JSON.stringify(tokens),
      author: cause.user_id,
      reason: cause.reason,
    },
  );
  await noteOrderUpdates(tx, ids);
}

/** Hands over the saved addresses. The default ones stay default where the kept account has none. */
export async function handOverAddresses(tx: Tx, { kept, ended }: Merging): Promise<void> {
  const { bill_address_id, ship_address_id } = ended;
  await setDefaultAddresses(tx, ended.id, { bill_address_id: null, ship_address_id: null });
  await tx('user_addresses').where({ user_id: ended.id }).update({ user_id: kept.id });
  await setDefaultAddresses(tx, kept.id, {
    ...(kept.bill_address_id === null && { bill_address_id }),
    ...(kept.ship_address_id === null && { ship_address_id }),
  });
  const saved = new Set((await loadSavedAddresses(tx, kept.id)).map(({ id }) => id));
  for (const id of [bill_address_id, ship_address_id]) {
    if (id !== null && !saved.has(id)) await keepAddress(tx, kept.id, id);
  }
}

/** Hands over the cards. The default one stays default if the kept account has none. */
export async function handOverCards(tx: Tx, { kept, ended }: Merging): Promise<void> {
  await tx.raw(
    `UPDATE credit_cards SET user_id = :kept, is_default = is_default
        AND NOT EXISTS (SELECT FROM credit_cards WHERE user_id = :kept AND is_default)
      WHERE user_id = :ended`,
    { kept: kept.id, ended: ended.id },
  );
}

/** Hands over the keys of `metadata` and `public_metadata` that the kept account lacks, unless all together are too large. */
export async function handOverMetadata(tx: Tx, { kept, ended }: Merging): Promise<void> {
  for (const column of ['metadata', 'public_metadata']) {
    await tx.raw(
      `UPDATE users SET ${column} = other.${column} || users.${column} FROM users other
        WHERE users.id = :kept AND other.id = :ended AND NOT users.${column} @> other.${column}
          AND octet_length((other.${column} || users.${column})::text) <= :max`,
      { kept: kept.id, ended: ended.id, max: MAX_JSON_BYTES },
    );
  }
}

/** Hands over the promotions that are limited to the account, and what it did. */
export async function handOverReferences(tx: Tx, { kept, ended }: Merging): Promise<void> {
  await tx.raw(
    `INSERT INTO promotion_rule_users (promotion_rule_id, user_id)
     SELECT promotion_rule_id, ? FROM promotion_rule_users WHERE user_id = ? ON CONFLICT DO NOTHING`,
    [kept.id, ended.id],
  );
  for (const [table, column] of HANDED_OVER) {
    await tx(table)
      .where(column, ended.id)
      .update({ [column]: kept.id });
  }
}

/** Records the merge. */
export async function insertMergedUser(tx: Tx, { kept, ended }: Merging): Promise<void> {
  await tx('merged_users').insert({ id: ended.id, user_id: kept.id, email: ended.email });
}
