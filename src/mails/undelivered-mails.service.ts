import { DAY_MS } from '../platform/calendar';
import { withTransaction } from '../platform/database/transaction';
import { NotFound } from '../platform/errors';
import type { Ctx, Deps } from '../sales/context';
import {
  deleteUndeliveredMail,
  deleteUndeliveredMailsBefore,
  findUndeliveredMails,
  rescheduleUndeliveredMails,
  type UndeliveredMailRow,
} from './undelivered-mails.repository';

/** How many undelivered mails are listed. More have one cause, and only their number is of use. */
export const LISTED_MAILS = 100;

/** For how many days a mail is listed that is not tried again. */
export const KEPT_DAYS = 30;

export interface UndeliveredMail extends Omit<UndeliveredMailRow, 'order_email' | 'sealed'> {
  /** Where it goes; null if it cannot be decrypted. */
  email: string | null;
}

/** Returns how many mails could not be sent so far, and the latest of them. */
export async function listUndeliveredMails({
  db,
  mailer,
}: Pick<Ctx, 'db' | 'mailer'>): Promise<{ mails: UndeliveredMail[]; total: number }> {
  const { rows, total } = await findUndeliveredMails(db, LISTED_MAILS);
  const mails = rows.map(({ order_email, sealed, ...mail }) => ({
    ...mail,
    email: sealed === null ? order_email : mailer.readRecipient(sealed),
  }));
  return { mails, total };
}

/** Deletes the mails that are not tried again after the days for which they are listed. @returns how many */
export function deleteOldUndeliveredMails({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteUndeliveredMailsBefore(db, new Date(now().getTime() - KEPT_DAYS * DAY_MS));
}

/** Gives up a mail that could not be sent so far. @throws NotFound also while it is being sent */
export async function dismissUndeliveredMail(ctx: Ctx, id: string): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if (!(await deleteUndeliveredMail(tx, id))) throw new NotFound();
  });
}

/** Makes the mails that could not be sent due, with all their attempts. Repeatable. @returns how many */
export function retryUndeliveredMails(ctx: Ctx): Promise<number> {
  return withTransaction(ctx, rescheduleUndeliveredMails);
}
