import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode } from '../error-code';
import type { Mail, Mailer } from './mailer';

interface Log {
  info: (details: object, message: string) => void;
  error: (details: object, message: string) => void;
}

/**
 * Creates a mailer that writes each mail as an .eml file into a folder, which is created with the first one. Only the
 * user of the program can read the files: they contain links that open accounts. A file name contains a hash of the
 * recipient, by which the mails of a person are found.
 */
export function createMailFolder(folder: string, log: Log): Mailer {
  const pending = new Set<Promise<void>>();

  const write = async ({ to, ...mail }: Mail): Promise<void> => {
    // It takes 10 MB of memory, which a process that sends no mail saves.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await transport.sendMail({ ...mail, to: { name: '', address: to } });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replace(/[-:.]/g, '')}-${hashRecipient(to)}-${randomUUID()}.eml`;
    const part = path.join(folder, `.${name}.part`);
    await writeFile(part, message, { mode: 0o600, flag: 'wx' });
    await rename(part, path.join(folder, name));
    log.info({ mail: name }, 'a mail was stored');
  };

  return {
    send: (mail) => {
      const sending = write(mail).catch((error: unknown) => {
        log.error(
          { code: readErrorCode(error) ?? 'unknown', subject: mail.subject },
          'a mail was not stored',
        );
      });
      pending.add(sending);
      void sending.finally(() => pending.delete(sending));
    },
    settle: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
    forget: async (address) => {
      await Promise.all(pending);
      const names = await listFolder(folder);
      const found = names.filter((name) => name.includes(`-${hashRecipient(address)}-`));
      for (const name of found) await rm(path.join(folder, name), { force: true });
      return found.length;
    },
  };
}

function hashRecipient(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('hex').slice(0, 24);
}

/** Returns the names in a folder; none if it does not exist. */
async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
