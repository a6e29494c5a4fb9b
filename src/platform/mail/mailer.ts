import { randomUUID } from 'node:crypto';
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

/** The receiving server refuses the recipient for good. */
export class MailRefused extends Error {}

/** Sends mails by the queue. */
export interface Mailer extends MailTransport {
  /**
   * Requests a mail in the transaction of its cause: the task `send_mail` sends it after the commit, and tries again if it fails.
   * The values are encrypted in the queue.
   * @param values.to the recipient; empty to do the same work without a mail
   */
  post: (tx: Tx, name: string, values: MailValues & { to: string }) => void;
  /** Decrypts the values of a requested mail. */
  open: (sealed: string) => MailValues;
}

/** The task of the queue that sends mails. */
export const SEND_MAIL = 'send_mail';

/** Creates a mailer. @param secret of the store, which encrypts values */
export function createMailer(transport: MailTransport, secret: Buffer): Mailer {
  const box = createSealedBox(secret, 'mail');
  const context = Buffer.from('values');
  return {
    ...transport,
    post: (tx, name, values) => {
      const sealed = box.seal(Buffer.from(JSON.stringify(values)), context).toString('base64');
      enqueue(tx, SEND_MAIL, { name, id: randomUUID(), sealed });
    },
    // `post` has sealed it.
    open: (sealed) => JSON.parse(box.open(Buffer.from(sealed, 'base64'), context).toString()) as MailValues,
  };
}
