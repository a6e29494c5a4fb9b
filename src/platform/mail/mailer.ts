import { randomUUID } from 'node:crypto';
import type { Db } from '../database/knex';
import type { Tx } from '../database/transaction';
import { enqueue } from '../queue/enqueue';
import { createSealedBox } from '../sealed-box';

/** A mail to one person. Text and HTML say the same. */
export interface Mail {
  /** The same at each attempt, by which receivers recognize repetitions: `name@host` without brackets. */
  message_id: string;
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly { filename: string; content: Buffer; contentType: string }[];
}

/** The values of a requested mail, such as its recipient and a token. */
export type MailValues = Readonly<Record<string, string>>;

/** What delivers mails. */
export interface MailTransport {
  /** Sends a mail. @throws if it must be tried again; MailRefused if that is of no use */
  send: (mail: Mail) => Promise<void>;
  /** Deletes the stored mails to an e-mail address, in any letter case. @returns how many */
  forget: (address: string) => Promise<number>;
  close: () => void;
}

/** A server refuses the mail for good, and says why. */
export class MailRefused extends Error {}

/** Sends mails by the queue. */
export interface Mailer extends Omit<MailTransport, 'forget'> {
  /**
   * Requests a mail in the transaction of its cause: the task `send_mail` sends it after the commit, and tries again if it fails.
   * The values are encrypted in the queue.
   * @param values.to the recipient; empty to do the same work without a mail
   */
  post: (tx: Tx, name: string, values: MailValues & { to: string }) => void;
  /** Decrypts the values of a requested mail. */
  open: (sealed: string) => MailValues;
  /** Returns the recipient of a requested mail; null if the secret has changed since. */
  readRecipient: (sealed: string) => string | null;
  /**
   * Deletes the stored mails to an e-mail address, in any letter case, and the requested mails to it that could not be sent so far.
   */
  forget: (db: Db, address: string) => Promise<void>;
}

/** The e-mail addresses in what a mail server says. */
export const ADDRESSES = /[^\s<>@]+@[\w.-]*\w/g;

/** The task of the queue that sends mails. */
export const SEND_MAIL = 'send_mail';

/** Creates a mailer. @param secret of the store, which encrypts values */
export function createMailer(transport: MailTransport, secret: Buffer): Mailer {
  const box = createSealedBox(secret, 'mail');
  const context = Buffer.from('values');
  // `post` has sealed it.
  const open = (sealed: string) =>
    JSON.parse(box.open(Buffer.from(sealed, 'base64'), context).toString()) as MailValues;
  const readRecipient = (sealed: string): string | null => {
    try {
      return open(sealed).to ?? null;
    } catch {
      return null;
    }
  };
  return {
    ...transport,
    post: (tx, name, values) => {
      const sealed = box.seal(Buffer.from(JSON.stringify(values)), context).toString('base64');
      enqueue(tx, SEND_MAIL, { name, id: randomUUID(), sealed });
    },
    open,
    readRecipient,
    forget: async (db, text) => {
      const address = text.trim().toLowerCase();
      await transport.forget(address);
      await deleteFailedMails(
        db,
        ({ sealed, last_error }) =>
          last_error.toLowerCase().match(ADDRESSES)?.includes(address) === true ||
          (sealed !== null && readRecipient(sealed)?.toLowerCase() === address),
      );
    },
  };
}

/** Deletes the mails that could not be sent so far and that match. Those that are being sent are left. */
async function deleteFailedMails(
  db: Db,
  matches: (mail: { sealed: string | null; last_error: string }) => boolean,
): Promise<void> {
  const { rows } = await db.raw<{ rows: { id: string; sealed: string | null; last_error: string }[] }>(
    `SELECT job.id, job.payload->>'sealed' AS sealed, job.last_error
       FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
      WHERE task.identifier = ? AND job.last_error IS NOT NULL`,
    [SEND_MAIL],
  );
  const ids = rows.filter(matches).map(({ id }) => id);
  if (ids.length === 0) return;
  await db.raw(
    'DELETE FROM graphile_worker._private_jobs WHERE id = ANY (?::bigint[]) AND locked_at IS NULL',
    [ids],
  );
}
