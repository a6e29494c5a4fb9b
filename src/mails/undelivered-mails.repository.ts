import type { Db } from '../platform/database/knex';
import { SEND_MAIL } from '../platform/mail/mailer';

/** A mail that could not be sent so far. */
export interface UndeliveredMailRow {
  /** A bigint, as text. */
  id: string;
  /** Null for a payload that is no mail. */
  name: string | null;
  /** Null for mails that are about no order. */
  order_number: string | null;
  attempts: number;
  last_error: string;
  created_at: Date;
  /** Null if it is not tried again. */
  next_attempt_at: Date | null;
}

/** The jobs of mails that have failed at least once. */
const FAILED = `graphile_worker._private_jobs AS job
  JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
 WHERE task.identifier = :task AND job.attempts > 0 AND job.last_error IS NOT NULL`;

/** Returns how many mails could not be sent so far, and the latest of them. */
export async function findUndeliveredMails(
  db: Db,
  limit: number,
): Promise<{ rows: UndeliveredMailRow[]; total: number }> {
  const { rows } = await db.raw<{ rows: (UndeliveredMailRow & { total: number })[] }>(
    `SELECT failed.*, orders.number AS order_number
       FROM (SELECT job.id, job.payload->>'name' AS name, (job.payload->>'order_id')::integer AS order_id,
                    job.attempts, job.last_error, job.created_at,
                    CASE WHEN job.attempts < job.max_attempts THEN job.run_at END AS next_attempt_at,
                    count(*) OVER ()::integer AS total
               FROM ${FAILED} ORDER BY job.id DESC LIMIT :limit) AS failed
       LEFT JOIN orders ON orders.id = failed.order_id ORDER BY failed.id DESC`,
    { task: SEND_MAIL, limit },
  );
  return { rows, total: rows[0]?.total ?? 0 };
}

/** Makes the mails that could not be sent due, with all their attempts. @returns how many */
export async function rescheduleUndeliveredMails(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `SELECT count(*)::integer AS count
       FROM graphile_worker.reschedule_jobs(ARRAY(SELECT job.id FROM ${FAILED}), run_at => now(), attempts => 0)`,
    { task: SEND_MAIL },
  );
  return rows[0]?.count ?? 0;
}
