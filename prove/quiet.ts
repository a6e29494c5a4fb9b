import type { Knex } from 'knex';

/** What the store still has to do. */
export interface Backlog {
  payments: number;
  notes: number;
  deliveries: number;
  jobs: number;
}

/** Of the queue, jobs that are due or running, or have failed; what the clock starts later does not count. */
const BACKLOG = `
  SELECT (SELECT count(*) FROM payment_operations WHERE state = 'started')::integer AS payments,
         (SELECT count(*) FROM event_notes)::integer AS notes,
         (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')::integer AS deliveries,
         (SELECT count(*) FROM graphile_worker._private_jobs
           WHERE run_at <= now() OR attempts > 0 OR locked_by IS NOT NULL)::integer AS jobs`;

/** How long the rest of the work may take; a job of a killed worker is taken over after 20 seconds. */
const LONGEST_MS = 180_000;

/** How long the store took after the last disturbance, and what it has not done. */
export interface Quiet {
  /** Until no payment was at the gateway. */
  settledMs: number;
  /** Until nothing was left to do. */
  quietMs: number;
  left: Backlog;
}

/** Waits until the store has nothing left to do. */
export async function waitForQuiet(db: Knex): Promise<Quiet> {
  const started = performance.now();
  let settledMs: number | null = null;
  for (;;) {
    const { rows } = await db.raw<{ rows: [Backlog] }>(BACKLOG);
    const [left] = rows;
    const passed = performance.now() - started;
    if (left.payments === 0) settledMs ??= passed;
    const isQuiet = Object.values(left).every((count) => count === 0);
    if (isQuiet || passed > LONGEST_MS) return { settledMs: settledMs ?? Infinity, quietMs: passed, left };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
