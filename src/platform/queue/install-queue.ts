import type { Knex } from 'knex';
import { runMigrations } from 'graphile-worker';
import { pino } from 'pino';
import { createQueueLogger } from './queue-log';
import { createQueuePoolLike } from './queue-pool';

/** The last migration of the installed package, whose tables are in a schema of their own. */
const VERSION = 18;

/** Returns whether the database lacks the tables of the queue. */
export async function lacksQueue(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { exists: boolean }[] }>(
    "SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS exists",
  );
  return rows[0]?.exists !== true;
}

/** Returns whether the database lacks the tables of the queue, or has an earlier version of them. */
export async function needsQueue(db: Knex): Promise<boolean> {
  if (await lacksQueue(db)) return true;
  const last = await db<{ id: number }>('graphile_worker.migrations').max<{ max: number | null }[]>('id');
  return (last[0]?.max ?? 0) < VERSION || (await findGrantees(db)).length > 0;
}

/**
 * Creates the tables of the queue. Every role of a running store may use them, so that the role of the running store needs
 * no other preparation. Safe to repeat. Waits for no other instance: call it under the lock of the migrations.
 */
export async function installQueue(db: Knex): Promise<void> {
  const pool = await createQueuePoolLike(db, 1);
  try {
    const log = pino({ level: 'silent' }); // failures are thrown
    await runMigrations({ pgPool: pool, logger: createQueueLogger(log) });
  } finally {
    await pool.end();
  }
  await db.transaction(async (tx) => {
    // The package locks its tables for roles without a policy. Privileges do the same here.
    await tx.raw(`
      ALTER TABLE graphile_worker._private_jobs DISABLE ROW LEVEL SECURITY;
      ALTER TABLE graphile_worker._private_job_queues DISABLE ROW LEVEL SECURITY;
      ALTER TABLE graphile_worker._private_tasks DISABLE ROW LEVEL SECURITY;
      ALTER TABLE graphile_worker._private_known_crontabs DISABLE ROW LEVEL SECURITY`);
    await grantQueue(tx);
  });
}

/** Lets every role of a running store use the queue. Dumps have no privileges, so it is needed after one is loaded. */
export async function grantQueue(db: Knex): Promise<void> {
  for (const role of await findGrantees(db))
    await db.raw(
      `GRANT USAGE ON SCHEMA graphile_worker TO ??;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO ??;
       GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA graphile_worker TO ??`,
      [role, role, role],
    );
}

/** Returns the roles that may run the store, as they write the keys of requests, but not use the queue. */
async function findGrantees(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { role: string }[] }>(
    `SELECT DISTINCT rolname::text AS role
       FROM pg_class CROSS JOIN aclexplode(relacl) AS privilege JOIN pg_roles ON pg_roles.oid = privilege.grantee
      WHERE pg_class.oid = to_regclass('idempotency_keys') AND privilege_type = 'INSERT'
        AND NOT has_table_privilege(rolname, 'graphile_worker._private_jobs', 'INSERT')`,
  );
  return rows.map(({ role }) => role);
}
