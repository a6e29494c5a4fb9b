import { run, type Steps } from '../src/platform/database/migrations/steps';

/**
 * What has happened, for others: `event_notes` takes it down in the transaction of the change, and one process at a time
 * publishes it as `events`, whose ids therefore increase in the order in which they become visible.
 */
export const up: Steps = [
  run(`
    CREATE TABLE event_notes (
      id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT event_notes_pkey PRIMARY KEY,
      kind text NOT NULL,
      subject_id integer NOT NULL,
      types jsonb NOT NULL,
      record json,
      transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())
    );
    CREATE UNIQUE INDEX event_notes_once ON event_notes (transaction_id, kind, subject_id) WHERE kind <> 'order';

    CREATE SEQUENCE event_ids;
    CREATE TABLE events (
      id bigint NOT NULL,
      created_at timestamptz(3) NOT NULL,
      type text NOT NULL,
      subject_type text NOT NULL,
      subject_id integer NOT NULL,
      subject_number text,
      order_id integer,
      data json NOT NULL,
      CONSTRAINT events_pkey PRIMARY KEY (id, created_at)
    ) PARTITION BY RANGE (created_at);
    CREATE INDEX events_order_id_index ON events (order_id) WHERE order_id IS NOT NULL;
    CREATE INDEX events_customer_index ON events (subject_id) WHERE subject_type = 'customer';

    CREATE TABLE abandoned_carts (
      order_id integer CONSTRAINT abandoned_carts_pkey PRIMARY KEY
        CONSTRAINT abandoned_carts_order_id_fkey REFERENCES orders ON DELETE CASCADE,
      noted_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now())
    );`),
  run(`ALTER TABLE stores
    ADD COLUMN low_stock_threshold integer NOT NULL DEFAULT 5
      CONSTRAINT stores_low_stock_threshold_positive CHECK (low_stock_threshold >= 0),
    ADD COLUMN abandoned_cart_hours integer NOT NULL DEFAULT 24
      CONSTRAINT stores_abandoned_cart_hours_positive CHECK (abandoned_cart_hours > 0)`),
];

export const down: Steps = [
  run('ALTER TABLE stores DROP COLUMN low_stock_threshold, DROP COLUMN abandoned_cart_hours'),
  run('DROP TABLE abandoned_carts, events, event_notes; DROP SEQUENCE event_ids'),
];
