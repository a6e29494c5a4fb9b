import type { Knex } from 'knex';

/**
 * Gives the shipments, payments and the return of a told order numbers that follow from its own, so that they are the
 * same in every demo store and the examples of the reference name records that are there. Of the forms of
 * `platform/numbers.ts`. One statement; to be repeated safely.
 */
export async function setNumbers(db: Knex, orderId: number): Promise<void> {
  await db.raw(
    `WITH told AS (SELECT id, number, substr(number, 2) AS digits FROM orders WHERE id = :order),
     ranked_shipments AS (
       SELECT id, row_number() OVER (ORDER BY id) AS rank FROM shipments WHERE order_id = :order),
     ranked_payments AS (
       SELECT id, row_number() OVER (ORDER BY id) AS rank FROM payments WHERE order_id = :order),
     shipments_named AS (
       UPDATE shipments SET number = 'H' || told.digits || lpad(CAST(rank AS text), 2, '0')
         FROM told, ranked_shipments WHERE ranked_shipments.id = shipments.id),
     payments_named AS (
       UPDATE payments SET number = 'P' || upper(substr(md5(told.number || rank), 1, 7))
         FROM told, ranked_payments WHERE ranked_payments.id = payments.id)
     UPDATE return_authorizations SET number = 'RA' || told.digits FROM told WHERE order_id = told.id`,
    { order: orderId },
  );
}
