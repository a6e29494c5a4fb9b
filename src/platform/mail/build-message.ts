import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer';

/** Builds a mail for the library. No part of it is read from a file or an address. */
export function buildMessage({ message_id, to, attachments, ...mail }: Mail): SendMailOptions {
  return {
    ...mail,
    to: { name: '', address: to },
    messageId: `<${message_id}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: attachments?.map((attachment) => ({ ...attachment })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
