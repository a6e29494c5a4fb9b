import type { Knex } from 'knex';

/** What became of the jobs of all processes, for the metrics. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE job_runs (
      job text CONSTRAINT job_runs_pkey PRIMARY KEY,
      succeeded bigint NOT NULL,
      failed bigint NOT NULL,
      seconds double precision NOT NULL,
      last_succeeded_at timestamptz(3),
      last_failed_at timestamptz(3)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE job_runs');
}
