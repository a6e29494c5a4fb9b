import type { Knex } from 'knex';

/** Stores why a payment was refunded, and who refunded it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE payment_operations ADD COLUMN reason text;
    ALTER TABLE refunds
      ADD COLUMN reason text,
      ADD COLUMN user_id integer CONSTRAINT refunds_user_id_fkey REFERENCES users ON DELETE SET NULL;
    UPDATE refunds r SET user_id = op.user_id
      FROM payment_operations op WHERE op.id = r.payment_operation_id AND op.user_id IS NOT NULL;
    CREATE INDEX refunds_user_id_index ON refunds (user_id) WHERE user_id IS NOT NULL;
    CREATE INDEX refunds_created_at_index ON refunds (created_at, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE refunds DROP COLUMN reason, DROP COLUMN user_id;
    ALTER TABLE payment_operations DROP COLUMN reason;
    DROP INDEX refunds_created_at_index;
  `);
}
