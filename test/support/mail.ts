import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { simpleParser, type ParsedMail } from 'mailparser';
import { createMailFolder } from '../../src/platform/mail/mail-folder';
import { createMailer, type Mailer } from '../../src/platform/mail/mailer';
import { runJobs } from './run-jobs';
import { unique } from './unique';

/** The folder for mails of this test file's application; created with the first one. */
const MAIL_FOLDER = path.join(tmpdir(), unique('store-test-mail'));

/** The secret of the applications of tests. */
export const TEST_SECRET = Buffer.alloc(32, 'test');

const mailer = createMailer(createMailFolder(MAIL_FOLDER, { info: () => undefined }), TEST_SECRET);

/** Returns the mailer of this test file. */
export function testMailer(): Mailer {
  return mailer;
}

/** Removes the stored mails. Called by each-file.ts. */
export async function removeTestMail(): Promise<void> {
  await rm(MAIL_FOLDER, { recursive: true, force: true });
}

/** Runs the jobs of the queue, and returns the stored mails to an address, oldest first. */
export async function parseMailsTo(address: string): Promise<ParsedMail[]> {
  await runJobs();
  const names = await readdir(MAIL_FOLDER).catch((): string[] => []);
  const mails = await Promise.all(names.sort().map((name) => readFile(path.join(MAIL_FOLDER, name))));
  const parsed = await Promise.all(mails.map((mail) => simpleParser(mail)));
  return parsed.filter(({ to }) => [to].flat().some((one) => one?.value[0]?.address === address));
}

/** Runs the jobs of the queue, and returns the stored mails to an address as text, oldest first. */
export async function readMailTo(address: string): Promise<string[]> {
  const mails = await parseMailsTo(address);
  return mails.map(
    ({ subject, text, html }) =>
      `To: ${address}\nSubject: ${subject ?? ''}\n\n${text ?? ''}\n${String(html)}`,
  );
}

/** Returns the token in the newest mail to an address; null if there is no mail. */
export async function readResetToken(address: string): Promise<string | null> {
  const mail = (await readMailTo(address)).at(-1);
  return mail?.match(/password\?token=([A-Za-z0-9_-]{43})/)?.[1] ?? null;
}
