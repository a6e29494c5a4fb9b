import { withTransaction } from '../platform/database/transaction';
import type { Ctx } from '../sales/context';
import {
  findUndeliveredMails,
  rescheduleUndeliveredMails,
  type UndeliveredMailRow,
} from './undelivered-mails.repository';

/** How many undelivered mails are listed. More have one cause, and only their number is of use. */
export const LISTED_MAILS = 100;

/** Returns how many mails could not be sent so far, and the latest of them. */
export function listUndeliveredMails({
  db,
}: Pick<Ctx, 'db'>): Promise<{ rows: UndeliveredMailRow[]; total: number }> {
  return findUndeliveredMails(db, LISTED_MAILS);
}

/** Makes the mails that could not be sent due, with all their attempts. Repeatable. @returns how many */
export function retryUndeliveredMails(ctx: Ctx): Promise<number> {
  return withTransaction(ctx, rescheduleUndeliveredMails);
}
