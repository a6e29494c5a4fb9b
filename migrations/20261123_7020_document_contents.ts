import type { Knex } from 'knex';
import {
  createIndex,
  createUniqueIndex,
  dropIndex,
  inBatches,
  run,
  validate,
  type IdRange,
  type Steps,
} from '../src/platform/database/migrations/steps';
import { COLUMNS, COMPLETE, CREDITS, documentChanges, SWITCH } from './documents/contents';
import { DIFFERENCES } from './documents/differences';
import { FILL, FILL_FIRST } from './documents/fill';
import { ISSUE } from './documents/issue';
import { POSITIONS } from './documents/positions';
import { SNAPSHOTS } from './documents/snapshots';

/**
 * Documents have entries: what each takes from or adds to the order, by line and rate. Whatever changes a sold order makes a
 * document of the difference, so that invoice + corrections - credit notes are always the order. Existing invoices get
 * the entries of their orders as they are now, and orders that differ from their documents get a correction.
 *
 * Documents without a series are those of the version before whose entries are missing. A change of their order adds them before
 * it is documented itself.
 */
export const up: Steps = [
  run(COLUMNS),
  createIndex('documents_number_order_index', 'documents (number, id)'),
  createIndex('documents_created_at_index', 'documents (created_at, id)'),
  createIndex('documents_kind_index', 'documents (kind, id)'),
  createUniqueIndex(
    'documents_sequence_unique_new',
    'documents (coalesce(store_id, 0), kind, series, sequence)',
  ),
  dropIndex('documents_sequence_unique'),
  run('ALTER INDEX documents_sequence_unique_new RENAME TO documents_sequence_unique'),
  validate('documents', 'documents_entries_array'),
  validate('documents', 'documents_number_present'),
  run(CREDITS),
  (knex) => execute(knex, [POSITIONS, DIFFERENCES, SNAPSHOTS, ISSUE, FILL, documentChanges(FILL_FIRST)]),
  run(SWITCH),
  validate('documents', 'documents_kind_known'),
  validate('documents', 'documents_refund_of_credit_note'),
  inBatches('documents', fillRange, { size: 50 }),
  run(
    'ALTER TABLE documents ADD CONSTRAINT documents_filled CHECK (series IS NOT NULL AND entries IS NOT NULL) NOT VALID',
  ),
  validate('documents', 'documents_filled'),
  run(documentChanges('')),
  run(COMPLETE),
  run('DROP FUNCTION fill_documents(integer)'),
];

async function execute(knex: Knex, parts: readonly string[]): Promise<void> {
  for (const part of parts) await knex.raw(part);
}

/** Locks the documents of the range before the counters, as a change of an order does. */
async function fillRange(knex: Knex, { after, upTo }: IdRange): Promise<void> {
  const orders = `SELECT order_id FROM documents WHERE series IS NULL AND id > ${after} AND id <= ${upTo}`;
  await knex.raw(`
    SELECT FROM documents WHERE series IS NULL AND order_id IN (${orders}) ORDER BY id FOR UPDATE;
    SELECT fill_documents(order_id) FROM (${orders} GROUP BY order_id ORDER BY order_id) AS filled;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER orders_documented_at_insert ON orders;
    DROP TRIGGER orders_documented ON orders;
    DROP TRIGGER order_changes_documented ON order_changes;
    DROP TRIGGER refunds_documented ON refunds;
    DROP FUNCTION document_order(), document_order_change(), document_refund(), issue_documents(integer, integer, numeric),
      add_document(integer, text, jsonb, integer), take_next_document_number(text, timestamptz), build_document(integer, text, jsonb, integer),
      list_sold_positions(integer), difference_of_positions(jsonb, jsonb), share_of_positions(jsonb, numeric, text, text),
      negate_entries(jsonb), sum_rates(jsonb, boolean, text), round_money(numeric, text), sum_entries(jsonb),
      find_tax_free_reason(integer), list_documented_refunds(integer);
    DROP TABLE refund_credits;
    DROP INDEX documents_number_order_index, documents_created_at_index, documents_kind_index, documents_sequence_unique;
    ALTER TABLE documents DISABLE TRIGGER documents_kept;
    -- What the version before has no kind for, and what it has a credit note for.
    DELETE FROM documents WHERE kind = 'correction' OR kind = 'credit_note' AND refund_id IS NULL;
    ALTER TABLE documents ENABLE TRIGGER documents_kept;
    ALTER TABLE documents DISABLE TRIGGER documents_unchanged;
    UPDATE documents d SET sequence = renumbered.place
      FROM (SELECT id, row_number() OVER (PARTITION BY coalesce(store_id, 0), kind ORDER BY created_at, id) AS place FROM documents)
             AS renumbered
     WHERE renumbered.id = d.id AND d.sequence <> renumbered.place;
    ALTER TABLE documents
      DROP CONSTRAINT documents_kind_known,
      DROP CONSTRAINT documents_refund_of_credit_note,
      DROP COLUMN number,
      DROP COLUMN series,
      DROP COLUMN entries,
      ADD COLUMN number text GENERATED ALWAYS AS (
        CASE kind WHEN 'invoice' THEN 'INV-' ELSE 'CN-' END || lpad(sequence::text, greatest(6, length(sequence::text)), '0')) STORED,
      ADD CONSTRAINT documents_kind_known CHECK (kind IN ('invoice', 'credit_note')),
      ADD CONSTRAINT documents_refund_of_credit_note CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL));
    CREATE UNIQUE INDEX documents_sequence_unique ON documents (coalesce(store_id, 0), kind, sequence);
    UPDATE documents d SET total = o.total, snapshot = build_invoice(o.id)
      FROM orders o WHERE o.id = d.order_id AND d.kind = 'invoice' AND jsonb_exists(d.snapshot, 'version');
    UPDATE documents d SET total = r.amount, snapshot = build_credit_note(r.id)
      FROM refunds r WHERE r.id = d.refund_id AND jsonb_exists(d.snapshot, 'version');
    ALTER TABLE documents ENABLE TRIGGER documents_unchanged;
    DELETE FROM document_counters;
    ALTER TABLE document_counters
      DROP CONSTRAINT document_counters_pkey,
      DROP COLUMN series,
      DROP COLUMN first_sequence,
      ADD CONSTRAINT document_counters_pkey PRIMARY KEY (store_id, kind);
    INSERT INTO document_counters (store_id, kind, last_sequence)
    SELECT coalesce(store_id, 0), kind, max(sequence) FROM documents GROUP BY 1, 2;
    CREATE CONSTRAINT TRIGGER orders_invoiced_at_insert AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL) EXECUTE FUNCTION issue_invoice();
    CREATE CONSTRAINT TRIGGER orders_invoiced AFTER UPDATE OF completed_at ON orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION issue_invoice();
    CREATE CONSTRAINT TRIGGER refunds_noted AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION issue_credit_note();
  `);
}
