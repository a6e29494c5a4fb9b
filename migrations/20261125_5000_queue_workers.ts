import type { Knex } from 'knex';

/** The processes that work on the queue, so that the jobs of one that was killed are given to others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE queue_workers (
      id uuid CONSTRAINT queue_workers_pkey PRIMARY KEY,
      worker_ids text[] NOT NULL,
      seen_at timestamptz(3) NOT NULL
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE queue_workers');
}
