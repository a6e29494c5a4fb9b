import type { Knex } from 'knex';
import { createIndex, inBatches, run, type Steps } from '../src/platform/database/migrations/steps';

/** Stores why a payment was refunded, and who refunded it. */
export const up: Steps = [
  run(`
    ALTER TABLE payment_operations ADD COLUMN reason text;
    ALTER TABLE refunds
      ADD COLUMN reason text,
      ADD COLUMN user_id integer CONSTRAINT refunds_user_id_fkey REFERENCES users ON DELETE SET NULL;
  `),
  inBatches('refunds', async (knex, { after, upTo }) => {
    await knex.raw(`
      UPDATE refunds r SET user_id = op.user_id
        FROM payment_operations op
       WHERE op.id = r.payment_operation_id AND op.user_id IS NOT NULL AND r.id > ${after} AND r.id <= ${upTo};
    `);
  }),
  createIndex('refunds_user_id_index', 'refunds (user_id) WHERE user_id IS NOT NULL'),
  createIndex('refunds_created_at_index', 'refunds (created_at, id)'),
];

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE refunds DROP COLUMN reason, DROP COLUMN user_id;
    ALTER TABLE payment_operations DROP COLUMN reason;
    DROP INDEX refunds_created_at_index;
  `);
}
