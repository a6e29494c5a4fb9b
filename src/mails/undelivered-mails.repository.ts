import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';
import { SEND_MAIL } from '../platform/mail/mailer';
import { enqueue } from '../platform/queue/enqueue';

/** A mail that could not be sent so far. */
export interface UndeliveredMailRow {
  /** A bigint, as text. */
  id: string;
  /** Null for a payload that is no mail. */
  name: string | null;
  /** Null for mails that are about no order. */
  order_number: string | null;
  /** Where a mail about an order goes. */
  order_email: string | null;
  /** The encrypted values of another mail. */
  sealed: string | null;
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

/** As `enqueue` has it; a mail that was refused has no more. */
const MAX_ATTEMPTS = 25;

/**
 * Keeps a mail that a server has refused for good as a job that has failed for the last time. Its own job may complete then.
 * @param mail.key the same for each refusal of the mail, which is kept once
 */
export async function keepRefusedMail(
  tx: Tx,
  { payload, key, attempt, reason }: { payload: object; key: string; attempt: number; reason: string },
): Promise<void> {
  enqueue(tx, SEND_MAIL, payload, { key, maxAttempts: attempt });
  await tx.raw(
    `SELECT 1 FROM graphile_worker.permanently_fail_jobs(
       ARRAY(SELECT id FROM graphile_worker._private_jobs WHERE key = ?), ?)`,
    [key, reason],
  );
}

/** Deletes the mails before a time that are not tried again. @returns how many */
export async function deleteUndeliveredMailsBefore(db: Db, time: Date): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM graphile_worker._private_jobs WHERE id IN (SELECT job.id FROM ${FAILED}
        AND job.attempts >= job.max_attempts AND job.locked_at IS NULL AND job.created_at < :time)`,
    { task: SEND_MAIL, time },
  );
  return rowCount;
}

/** Deletes a mail that could not be sent so far, unless it is being sent. @returns whether there was one */
export async function deleteUndeliveredMail(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM graphile_worker._private_jobs AS gone
      WHERE gone.locked_at IS NULL AND gone.id IN (SELECT job.id FROM ${FAILED} AND job.id = :id)`,
    { task: SEND_MAIL, id },
  );
  return rowCount > 0;
}

/** Returns how many mails could not be sent so far, and the latest of them. */
export async function findUndeliveredMails(
  db: Db,
  limit: number,
): Promise<{ rows: UndeliveredMailRow[]; total: number }> {
  const { rows } = await db.raw<{ rows: (UndeliveredMailRow & { total: number })[] }>(
    `SELECT failed.*, orders.number AS order_number, orders.email AS order_email
       FROM (SELECT job.id, job.payload->>'name' AS name, job.payload->>'sealed' AS sealed,
                    (job.payload->>'order_id')::integer AS order_id,
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
       FROM graphile_worker.reschedule_jobs(ARRAY(SELECT job.id FROM ${FAILED}), run_at => now(), attempts => 0,
         max_attempts => :attempts)`,
    { task: SEND_MAIL, attempts: MAX_ATTEMPTS },
  );
  return rows[0]?.count ?? 0;
}
