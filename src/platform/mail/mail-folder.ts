import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { returnNullIfMissing } from '../error-code';
import { buildMessage } from './build-message';
import type { MailTransport } from './mailer';

interface Log {
  info: (details: object, message: string) => void;
}

/**
 * Creates a transport that writes each mail as an .eml file into a folder, which is created with the first one. Only the
 * user of the program can read the files: they contain links that open accounts. A file name contains hashes of the
 * recipient, by which the mails of a person are found, and of the mail, so that it is stored once.
 */
export function createMailFolder(folder: string, log: Log): MailTransport {
  return {
    send: async (mail) => {
      const end = `-${hash(mail.to.trim().toLowerCase())}-${hash(mail.message_id)}.eml`;
      if ((await listFolder(folder)).some((known) => known.endsWith(end))) return;
      // It takes 10 MB of memory, which a process that sends no mail saves.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await transport.sendMail(buildMessage(mail));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replace(/[-:.]/g, '')}${end}`;
      const part = path.join(folder, `.${name}.part`);
      await writeFile(part, message, { mode: 0o600 });
      await rename(part, path.join(folder, name));
      log.info({ mail: name }, 'a mail was stored');
    },
    forget: async (address) => {
      const names = await listFolder(folder);
      const found = names.filter((name) => name.includes(`-${hash(address.trim().toLowerCase())}-`));
      for (const name of found) await rm(path.join(folder, name), { force: true });
      return found.length;
    },
    close: () => undefined,
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** Returns the names in a folder; none if it does not exist. */
async function listFolder(folder: string): Promise<string[]> {
  return (await returnNullIfMissing(readdir(folder))) ?? [];
}
