import { z } from 'zod';
import { SEND_MAIL } from '../platform/mail/mailer';
import type { Tx } from '../platform/database/transaction';
import { enqueue } from '../platform/queue/enqueue';
import { MAIL_NAMES } from './mail-names';

/** The task of the queue that sends several mails. */
export const SEND_MAILS = 'send_mails';

/** A mail about an order, as the queue knows it. */
export const OrderMail = z.object({
  name: z.enum(MAIL_NAMES),
  id: z.string(),
  order_id: z.int(),
  subject_id: z.int(),
  at: z.iso.datetime(),
});
export type OrderMail = z.output<typeof OrderMail>;

/** How many mails a job sends at most. A killed worker leaves so many to be sent again. */
const MAX_MAILS = 10;

/** Adds mails to the queue, several in a job: the work for a job is more than that for a mail. */
export function enqueueMails(tx: Tx, mails: readonly OrderMail[]): void {
  for (let start = 0; start < mails.length; start += MAX_MAILS) {
    const some = mails.slice(start, start + MAX_MAILS);
    if (some.length === 1) enqueueEachMail(tx, some);
    else enqueue(tx, SEND_MAILS, some);
  }
}

/** Adds mails to the queue that are tried again, and listed if they fail, each for itself. */
export function enqueueEachMail(tx: Tx, mails: readonly OrderMail[]): void {
  for (const mail of mails) enqueue(tx, SEND_MAIL, mail);
}
