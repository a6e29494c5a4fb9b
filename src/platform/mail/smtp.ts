import { Transform } from 'node:stream';
import type { Transporter } from 'nodemailer';
import { isError, readErrorCode } from '../error-code';
import { decodePercent } from '../percent-encoding';
import { buildMessage } from './build-message';
import { ADDRESSES, MailRefused, type MailTransport } from './mailer';

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
const CONNECTIONS = 2;

/** Returns whether this is a URL like `smtp://user:password@host:587` or `smtps://host`. */
export function isSmtpUrl(text: string): boolean {
  return /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== '';
}

/** Creates a transport that passes mails to an SMTP server, over connections that it keeps. Connects with the first mail. */
export function createSmtp(url: string): MailTransport {
  let opening: Promise<Transporter> | null = null;
  const open = async (): Promise<Transporter> => {
    // It takes 10 MB of memory, which a process that sends no mail saves.
    const { createTransport } = await import('nodemailer');
    const { protocol, hostname, port, username, password } = new URL(url);
    const transport = createTransport({
      pool: true,
      maxConnections: CONNECTIONS,
      host: hostname,
      secure: protocol === 'smtps:',
      ...(port !== '' && { port: Number(port) }),
      ...(username !== '' && {
        auth: { user: decodePercent(username), pass: decodePercent(password) },
      }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    transport.use('stream', ({ message }, done) => {
      message.transform(collect);
      done();
    });
    return transport;
  };
  return {
    send: async (mail) => {
      const transport = await (opening ??= open());
      try {
        await transport.sendMail(buildMessage(mail));
      } catch (error) {
        throw isRefused(error) ? new MailRefused(describe(error, mail.to)) : error;
      }
    },
    forget: () => Promise.resolve(0),
    close: () => {
      void opening?.then((transport) => transport.close());
    },
  };
}

/** Creates a stream that passes on a mail in one piece. Else each of its dozen parts takes a call of the system. */
function collect(): Transform {
  const parts: Buffer[] = [];
  return new Transform({
    transform: (part: Buffer, _encoding, done) => {
      parts.push(part);
      done();
    },
    flush: (done) => done(null, Buffer.concat(parts)),
  });
}

/** Connects and signs in. @returns the code of the error; null if it works */
export async function checkSmtp(url: string): Promise<string | null> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(url, {
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
  } as object);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return findCause(error) ?? 'unknown';
  } finally {
    transport.close();
  }
}

/** Returns the code of an error. The library has one for all errors of connections, whose messages name that of the system. */
function findCause(error: unknown): string | null {
  const code = readErrorCode(error);
  if (code !== 'ESOCKET' || !isError(error)) return code;
  return /\bE[A-Z]{4,}\b/.exec(error.message)?.[0] ?? code;
}

type ReplyError = Error & { responseCode?: number; response?: string }; // as errors of the library

/** Whether the server refuses the recipient, the sender or the contents with a code of 500 or more. */
function isRefused(error: unknown): error is ReplyError {
  if (!isError(error) || !['EENVELOPE', 'EMESSAGE'].includes(readErrorCode(error) ?? '')) return false;
  return ((error as ReplyError).responseCode ?? 0) >= 500;
}

/** Returns what the server says, without the address of the recipient, which is kept elsewhere and may be erased there. */
function describe({ response, message }: ReplyError, recipient: string): string {
  const isRecipient = (text: string): boolean => text.toLowerCase() === recipient.toLowerCase();
  return (response ?? message).replace(ADDRESSES, (text) => (isRecipient(text) ? '…' : text));
}
