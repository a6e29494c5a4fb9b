import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A server for mails, which signs in with a name and a password. */
export interface MailServer {
  url: string;
  received: { to: string[]; mail: ParsedMail }[];
  stop: () => Promise<void>;
}

/**
 * Starts a server that receives mails.
 * @param refuse decides over each recipient
 * @param contentError refuses every mail after its contents
 */
export async function startMailServer(
  refuse: (address: string) => Error | null = () => null,
  contentError: Error | null = null,
): Promise<MailServer> {
  const received: MailServer['received'] = [];
  const server = new SMTPServer({
    authMethods: ['PLAIN'],
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'a/b'
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: ({ address }, _session, done) => done(refuse(address)),
    onData: (stream, { envelope }, done) => {
      void simpleParser(stream).then((mail) => {
        if (contentError === null) received.push({ to: envelope.rcptTo.map(({ address }) => address), mail });
        done(contentError);
      });
    },
  });
  server.on('error', () => undefined);
  const listening = once(server.server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  const { port } = server.server.address() as AddressInfo; // it listens on TCP
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://shop:a%2Fb@127.0.0.1:${port}`, received, stop };
}

/** Builds the error by which a server refuses with a code. */
export const buildSmtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });
