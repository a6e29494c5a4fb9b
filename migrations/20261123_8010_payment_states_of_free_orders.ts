import type { Knex } from 'knex';

/**
 * An order that owes nothing is no longer `failed` because its payments are: it is `void` if it was canceled, and `paid`
 * otherwise. Sets the states of orders that were stored before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE orders SET payment_state = CASE WHEN state = 'canceled' THEN 'void' ELSE 'paid' END
     WHERE payment_state = 'failed' AND payment_total = 0 AND (state = 'canceled' OR total = 0);
  `);
}

/** Sets the states that the version before calculates. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE orders o SET payment_state = 'failed'
     WHERE payment_state IN ('void', 'paid') AND payment_total = 0 AND (state = 'canceled' OR total = 0)
       AND EXISTS (SELECT FROM payments p WHERE p.order_id = o.id)
       AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.state NOT IN ('failed', 'invalid'));
  `);
}
