import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMailFolder } from '../../src/platform/mail/mail-folder';
import type { Mailer } from '../../src/platform/mail/mailer';
import { unique } from './unique';

/** The folder for mails of this test file's application; created with the first one. */
const MAIL_FOLDER = path.join(tmpdir(), unique('store-test-mail'));

const mailer = createMailFolder(MAIL_FOLDER, { info: () => undefined, error: () => undefined });

/** Returns the mailer of this test file. */
export function testMailer(): Mailer {
  return mailer;
}

/** Removes the stored mails. Called by each-file.ts. */
export async function removeTestMail(): Promise<void> {
  await rm(MAIL_FOLDER, { recursive: true, force: true });
}

/** Returns the stored mails to an address as text, without soft line breaks, oldest first. */
export async function readMailTo(address: string): Promise<string[]> {
  await mailer.settle();
  const names = await readdir(MAIL_FOLDER).catch((): string[] => []);
  const mails = await Promise.all(names.sort().map((name) => readFile(path.join(MAIL_FOLDER, name), 'utf8')));
  const decoded = mails.map((mail) => mail.replace(/=\r\n/g, '').replace(/=3D/g, '='));
  return decoded.filter((mail) => mail.includes(`To: ${address}`));
}

/** Returns the token in the newest mail to an address; null if there is no mail. */
export async function readResetToken(address: string): Promise<string | null> {
  const mail = (await readMailTo(address)).at(-1);
  return mail?.match(/password\?token=([A-Za-z0-9_-]{43})/)?.[1] ?? null;
}
