import type { Knex } from 'knex';
import {
  createIndex,
  inBatches,
  run,
  validate,
  type IdRange,
  type Steps,
} from '../src/platform/database/migrations/steps';

/**
 * Stores how much of each payment its gateway approved, and which payments are parts of one authorization. Amounts of
 * existing payments follow from their approved operations: an authorized payment that was raised above them is lowered.
 */
export const up: Steps = [
  run(`
    ALTER TABLE payments
      -- The most that can be captured, or was; null until a gateway has approved the payment. PUT can only lower it.
      ADD COLUMN authorized_amount numeric(20,2),
      -- For the rest of a partial capture: the payment that was authorized.
      ADD COLUMN authorized_payment_id integer
        CONSTRAINT payments_authorized_payment_id_fkey REFERENCES payments ON DELETE CASCADE;
  `),
  createIndex(
    'payments_authorized_payment_id_index',
    'payments (authorized_payment_id) WHERE authorized_payment_id IS NOT NULL',
  ),
  inBatches('orders', fillCeilings, { size: 2_500 }),
  run(`
    ALTER TABLE payments ADD CONSTRAINT payments_amount_within_authorization
      CHECK (amount <= authorized_amount AND authorized_amount >= 0 AND authorized_amount <> 'NaN') NOT VALID;
  `),
  validate('payments', 'payments_amount_within_authorization'),
];

/** Writes the amounts of the payments of these orders. Their `updated_at` stays. */
async function fillCeilings(knex: Knex, { after, upTo }: IdRange): Promise<void> {
  await knex.raw(`
    ALTER TABLE payments DISABLE TRIGGER payments_touch;
    WITH RECURSIVE rests AS (
      SELECT c.subject_id AS id, whole.id AS of
        FROM state_changes c
        JOIN payments whole ON whole.order_id = c.order_id AND c.reason = 'rest of payment ' || whole.number
       WHERE c.order_id > ${after} AND c.order_id <= ${upTo}
         AND c.subject_type = 'payment' AND c.from_state IS NULL AND c.to_state = 'pending'),
    approved AS (
      SELECT payment_id, (array_agg(amount ORDER BY id))[1] AS first, (array_agg(amount ORDER BY id DESC))[1] AS last
        FROM payment_operations
       WHERE payment_id IN (SELECT id FROM payments WHERE order_id > ${after} AND order_id <= ${upTo})
         AND state = 'approved' AND kind IN ('authorize', 'purchase', 'capture')
       GROUP BY payment_id),
    ceilings AS (
      SELECT p.id, NULL::integer AS root, approved.first AS whole, approved.last AS captured
        FROM payments p LEFT JOIN approved ON approved.payment_id = p.id
       WHERE p.order_id > ${after} AND p.order_id <= ${upTo} AND NOT EXISTS (SELECT FROM rests WHERE rests.id = p.id)
      UNION ALL
      SELECT rests.id, coalesce(c.root, c.id), c.whole - c.captured, approved.last
        FROM rests JOIN ceilings c ON c.id = rests.of LEFT JOIN approved ON approved.payment_id = rests.id)
    UPDATE payments p
       SET authorized_payment_id = c.root,
           authorized_amount = CASE p.state WHEN 'pending' THEN least(p.amount, c.whole)
                                            ELSE coalesce(c.captured, c.whole) END,
           amount = CASE p.state WHEN 'pending' THEN least(p.amount, c.whole) ELSE p.amount END
      FROM ceilings c
     WHERE c.id = p.id;
    ALTER TABLE payments ENABLE TRIGGER payments_touch;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE payments DROP COLUMN authorized_amount, DROP COLUMN authorized_payment_id;`);
}
