import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail that the mail server has taken. */
export interface ReceivedMail {
  to: string;
  /** With its headers, as it was sent. */
  source: string;
}

/** A server that receives mails by SMTP. */
export interface MailServer {
  /** The value of MAIL_URL. */
  url: string;
  received: ReceivedMail[];
  stop: () => Promise<void>;
}

/** Starts a mail server on this machine that takes every mail. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          to: session.envelope.rcptTo[0]?.address ?? '',
          source: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  // A killed sender ends its connection in the middle of a mail.
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo; // listens on TCP
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}
