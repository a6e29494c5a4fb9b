import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

/** Whose orders: those of a user, and those of guests with one of the e-mail addresses. */
export interface Person {
  user: number;
  emails: readonly string[];
}

/** Orders of a person after an id. */
const ORDERS_OF_PERSON = `SELECT id FROM orders
   WHERE id > :after AND (user_id = :user
      OR user_id IS NULL AND lower(email) IN (SELECT lower(one) FROM unnest(:emails::text[]) AS one))
   ORDER BY id`;

/** Returns the ids of the orders of a person, ascending. */
export async function findOrdersOfPerson(db: Db, { user, emails }: Person): Promise<number[]> {
  return findIds(db, ORDERS_OF_PERSON, { user, emails: [...emails], after: 0 });
}

/** Returns the next ids of the orders of a person, ascending, at most `size`. */
export async function findNextOrdersOfPerson(
  db: Db,
  { user, emails }: Person,
  { after, size }: { after: number; size: number },
): Promise<number[]> {
  return findIds(db, `${ORDERS_OF_PERSON} LIMIT :size`, { user, emails: [...emails], after, size });
}

async function findIds(db: Db, sql: string, bindings: Record<string, Knex.RawBinding>): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(sql, bindings);
  return rows.map(({ id }) => id);
}

/** An account that was merged into another one. */
export interface MergedAccount {
  id: number;
  email: string;
  created_at: Date;
}

/** Returns the accounts that were merged into this one, by id. */
export async function findMergedAccounts(db: Db, userId: number): Promise<MergedAccount[]> {
  return db('merged_users')
    .where({ user_id: userId })
    .orderBy('id')
    .select<MergedAccount[]>('id', 'email', 'created_at');
}

/**
 * Waits for the transactions that give orders of guests one of these e-mail addresses, and makes others wait until this one ends.
 * A trigger of `orders` takes the shared locks. Lock the orders and the user before.
 */
export async function lockGuestEmails(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx.raw(
    `SELECT pg_advisory_xact_lock(7104, key)
       FROM (SELECT DISTINCT guest_email_key(one) AS key FROM unnest(?::text[]) AS one ORDER BY key) keys`,
    [[...emails]],
  );
}

/** Returns whether a gateway call for one of these orders is running. */
export async function hasRunningPayments(tx: Tx, orders: readonly number[]): Promise<number | null> {
  const found = await tx('payments')
    .whereIn('order_id', [...orders])
    .where({ state: 'processing' })
    .first<{ order_id: number } | undefined>('order_id');
  return found?.order_id ?? null;
}

/** Returns the number of the first of these orders that has paid units to ship or owes the customer a refund, or null. */
export async function findUnfinishedSale(tx: Tx, orders: readonly number[]): Promise<string | null> {
  const { rows } = await tx.raw<{ rows: { number: string }[] }>(
    `SELECT number FROM orders
      WHERE id = ANY (?) AND completed_at IS NOT NULL
        AND (payment_state = 'credit_owed'
          OR state <> 'canceled' AND EXISTS (
               SELECT FROM shipments JOIN inventory_units ON inventory_units.shipment_id = shipments.id
                WHERE shipments.order_id = orders.id AND inventory_units.state IN ('on_hand', 'backordered')
                  AND (orders.payment_state = 'paid' OR orders.payment_total > 0 OR shipments.state = 'ready')))
      ORDER BY id LIMIT 1`,
    [[...orders]],
  );
  return rows[0]?.number ?? null;
}

/** Hides the values of all changes in this transaction from the audit log, which still has the author, records and columns. */
export async function hideFromAuditLog(tx: Tx): Promise<void> {
  await tx.raw("SELECT set_config('store.erases_person', 'yes', true)");
}

const GONE = `firstname = 'erased', lastname = '', address1 = 'erased', address2 = NULL, zipcode = 'erased', city = 'erased',
  phone = 'erased', company = NULL, alternative_phone = NULL`;

/** Replaces what locked orders say about a person. Countries and states, which taxes depend on, and all amounts stay. */
export async function eraseFromOrders(tx: Tx, orders: readonly number[], email: string): Promise<void> {
  const bindings = { orders: [...orders], email };
  await tx.raw(
    `UPDATE addresses SET ${GONE} WHERE id IN (
       SELECT bill_address_id FROM orders WHERE id = ANY (:orders) UNION SELECT ship_address_id FROM orders WHERE id = ANY (:orders))`,
    bindings,
  );
  await tx.raw(
    `UPDATE credit_cards SET name = 'erased', last_digits = '', month = '', year = '', is_default = false
      WHERE id IN (SELECT credit_card_id FROM payments WHERE order_id = ANY (:orders))`,
    bindings,
  );
  // They show the address.
  await tx.raw(
    'SELECT touch_shipments(ARRAY(SELECT id FROM shipments WHERE order_id = ANY (:orders)))',
    bindings,
  );
  await tx.raw(
    `UPDATE order_changes SET changes = (
       SELECT jsonb_object_agg(key, CASE WHEN key IN ('email', 'bill_address', 'ship_address', 'special_instructions', 'vat_id')
                                         THEN '["erased", "erased"]'::jsonb ELSE value END) FROM jsonb_each(changes))
      WHERE order_id = ANY (:orders) AND subject_type = 'order'
        AND jsonb_exists_any(changes, ARRAY['email', 'bill_address', 'ship_address', 'special_instructions', 'vat_id'])`,
    bindings,
  );
  await tx.raw(
    `UPDATE orders SET email = CASE WHEN email IS NULL THEN NULL ELSE :email END, special_instructions = NULL,
            vat_id = NULL, metadata = '{}', public_metadata = '{}'
      WHERE id = ANY (:orders)`,
    bindings,
  );
  await tx.raw(
    `UPDATE return_authorizations SET customer_memo = NULL, memo = NULL
      WHERE order_id = ANY (:orders) AND customer_memo IS NOT NULL`,
    bindings,
  );
  await tx.raw(
    `UPDATE line_items SET metadata = '{}', public_metadata = '{}'
      WHERE order_id = ANY (:orders) AND (metadata, public_metadata) <> ('{}'::jsonb, '{}'::jsonb)`,
    bindings,
  );
}

/** Replaces what a locked user says about a person: e-mail address, password, tokens, roles, addresses and cards. */
export async function eraseAccount(tx: Tx, userId: number, email: string): Promise<void> {
  const user = { user_id: userId };
  await tx('users').where({ id: userId }).update({
    email,
    password_digest: 'erased',
    bill_address_id: null,
    ship_address_id: null,
    vat_id: null,
    metadata: {},
    public_metadata: {},
  });
  await tx('api_tokens').where(user).delete();
  await tx('password_resets').where(user).delete();
  await tx('two_factors').where(user).delete();
  await tx('user_addresses').where(user).delete();
  await tx('merged_users').where(user).delete();
  await tx.raw(
    `DELETE FROM user_roles WHERE user_id = ? AND role_id <> (SELECT id FROM roles WHERE name = 'customer')`,
    [userId],
  );
  await tx('credit_cards').where(user).update({
    name: 'erased',
    last_digits: '',
    month: '',
    year: '',
    is_default: false,
    user_id: null,
  });
  await tx.raw(
    `DELETE FROM credit_cards WHERE name = 'erased' AND user_id IS NULL
        AND NOT EXISTS (SELECT FROM payments WHERE credit_card_id = credit_cards.id)`,
  );
}
