import type { Knex } from 'knex';
import {
  createIndex,
  inBatches,
  run,
  type Step,
  type Steps,
} from '../src/platform/database/migrations/steps';
import { createTouch } from './times/touch';

/** The tables that are read as feeds, whose `updated_at` must not lie before the horizon of a page (`feed_horizon`). */
const FEEDS = [
  ...['products', 'variants', 'orders', 'shipments', 'payments', 'stock_items', 'stock_movements', 'users'],
  'return_authorizations',
];

/**
 * What feeds need: the horizon of a page, and an order by `updated_at` for each list.
 *
 * An index over a column that a sale changes several times would cost it the heap-only updates. So orders, payments and
 * shipments have `feed_at`: their `updated_at` once no checkout changes them any more, null before. Stock items have a narrow row
 * of their own beside them.
 */
export const up: Steps = [
  createHorizon,
  ...FEEDS.map((table) => run(`ALTER TABLE ${table} ALTER updated_at SET DEFAULT change_time()`)),
  run(createTouch(`date_trunc('milliseconds', clock_timestamp())`)),
  ...addFeedTime('orders', 'completed_at IS NOT NULL'),
  createIndex('orders_feed_index', 'orders (feed_at, id) WHERE feed_at IS NOT NULL'),
  ...addFeedTime('payments', `state NOT IN ('checkout', 'processing')`),
  createIndex('payments_feed_index', 'payments (feed_at, id) WHERE feed_at IS NOT NULL'),
  createIndex('payments_unsettled_index', 'payments (id) WHERE feed_at IS NULL'),
  ...addFeedTime('shipments', `state <> 'pending'`),
  createIndex('shipments_feed_index', 'shipments (feed_at, id) WHERE feed_at IS NOT NULL'),
  createIndex('shipments_unsettled_index', 'shipments (id) WHERE feed_at IS NULL'),
  createIndex('stock_movements_updated_at_index', 'stock_movements (updated_at, id)'),
  createIndex('users_updated_at_index', 'users (updated_at, id)'),
  createIndex('return_authorizations_updated_at_index', 'return_authorizations (updated_at, id)'),
  createStockItemChanges,
  (knex) => replaceAuditColumns(knex, `'updated_at'`, `'updated_at', 'feed_at'`),
];

/**
 * A trigger keeps the column, because adding a generated one rewrites the table under a lock. It is the last one before a write: after
 * `touch`, in the order of the names. @param isSettled whether a row belongs to feeds
 */
function addFeedTime(table: string, isSettled: string): Step[] {
  const time = `CASE WHEN NEW.${isSettled} THEN NEW.updated_at END`;
  return [
    run(`
      ALTER TABLE ${table} ADD COLUMN feed_at timestamptz(3);
      CREATE FUNCTION set_feed_time_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.feed_at := ${time};
        RETURN NEW;
      END $$;
      CREATE TRIGGER ${table}_touched_feed BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
        WHEN (NEW.feed_at IS DISTINCT FROM ${time}) EXECUTE FUNCTION set_feed_time_of_${table}();`),
    inBatches(
      table,
      async (knex, { after, upTo }) => {
        await knex.raw(`
          SET LOCAL store.keep_times = 'on';
          UPDATE ${table} SET feed_at = updated_at WHERE id > ${after} AND id <= ${upTo} AND ${isSettled} AND feed_at IS NULL;`);
      },
      { size: 2_000 },
    ),
  ];
}

/**
 * `change_time` is the default of `updated_at`. The transaction has its number before the time is read, so that whoever does not
 * see the number yet has read the clock before.
 *
 * `feed_horizon` returns a time that no transaction which is running now, or begins later, writes below: the begin of the oldest
 * one that has written. Transactions that only read have no number and do not count. It must be called in a statement before the
 * page, whose snapshot then has everything that was committed when the horizon was read.
 */
async function createHorizon(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION change_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_current_xact_id();
      RETURN date_trunc('milliseconds', clock_timestamp());
    END $$;

    CREATE FUNCTION feed_horizon() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      now_or_earlier timestamptz := clock_timestamp();
      oldest timestamptz;
    BEGIN
      PERFORM pg_stat_clear_snapshot();
      SELECT min(CASE
               WHEN session.xact_start IS NOT NULL THEN session.xact_start
               -- A session of another role, or one that reports nothing: it may have begun at any time.
               WHEN session.state IS NULL OR session.state = 'disabled' THEN pg_postmaster_start_time()
             END)
        INTO oldest
        FROM pg_stat_activity AS session
       WHERE session.datid = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND session.pid <> pg_backend_pid()
         -- Autovacuum has no user, and writes no record.
         AND session.usesysid IS NOT NULL
         AND (session.backend_xid IS NOT NULL OR session.state IS NULL AND EXISTS (
           SELECT FROM pg_locks
            WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted AND pg_locks.pid = session.pid));
      IF EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()) THEN
        RETURN to_timestamp(0);
      END IF;
      RETURN date_trunc('milliseconds', least(now_or_earlier, oldest));
    END $$;
  `);
}

/** The rows follow their stock items in the same transaction, under the locks of the items. */
async function createStockItemChanges(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE stock_item_changes (
      stock_item_id integer CONSTRAINT stock_item_changes_pkey PRIMARY KEY
        CONSTRAINT stock_item_changes_stock_item_id_fkey REFERENCES stock_items ON DELETE CASCADE,
      stock_location_id integer NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );
    INSERT INTO stock_item_changes SELECT id, stock_location_id, updated_at FROM stock_items;
    CREATE INDEX stock_item_changes_location_index
      ON stock_item_changes (stock_location_id, updated_at, stock_item_id);

    CREATE FUNCTION note_stock_item() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO stock_item_changes SELECT id, stock_location_id, updated_at FROM changed;
      RETURN NULL;
    END $$;
    CREATE TRIGGER stock_items_insert_change AFTER INSERT ON stock_items REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_stock_item();
    CREATE FUNCTION note_stock_item_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE stock_item_changes AS change
         SET updated_at = changed.updated_at, stock_location_id = changed.stock_location_id
        FROM changed WHERE change.stock_item_id = changed.id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER stock_items_update_change AFTER UPDATE ON stock_items REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_stock_item_change();
  `);
}

/** Replaces a part of the list of columns whose changes the audit log leaves out. */
async function replaceAuditColumns(knex: Knex, part: string, by: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { definition: string }[] }>(
    `SELECT pg_get_functiondef('note_audit'::regproc) AS definition`,
  );
  const definition = rows[0]?.definition ?? '';
  if (!definition.includes(part)) throw new Error(`note_audit does not contain ${part}`);
  await knex.raw(definition.replace(part, by).replaceAll('?', '\\?'));
}

export async function down(knex: Knex): Promise<void> {
  await replaceAuditColumns(knex, `'updated_at', 'feed_at'`, `'updated_at'`);
  await knex.raw(`
    DROP TRIGGER stock_items_update_change ON stock_items;
    DROP TRIGGER stock_items_insert_change ON stock_items;
    DROP FUNCTION note_stock_item_change(), note_stock_item();
    DROP TABLE stock_item_changes;
    DROP INDEX return_authorizations_updated_at_index, users_updated_at_index, stock_movements_updated_at_index,
      shipments_unsettled_index, payments_unsettled_index;
  `);
  for (const table of ['shipments', 'payments', 'orders']) {
    await knex.raw(`
      DROP TRIGGER ${table}_touched_feed ON ${table};
      DROP FUNCTION set_feed_time_of_${table}();
      ALTER TABLE ${table} DROP COLUMN feed_at;`);
  }
  for (const table of FEEDS) {
    await knex.raw(`ALTER TABLE ${table} ALTER updated_at SET DEFAULT date_trunc('milliseconds', now())`);
  }
  await knex.raw('DROP FUNCTION feed_horizon(), change_time();');
}
