import { SECRET_LENGTH } from '../../boot/secret-key';
import type { Facts, SecretFacts } from './facts';
import { ok, problem, warning, type Finding } from './finding';

const MIB = 1024 * 1024;

/** Free disk space below which a warning or a problem is reported. */
const FREE_BYTES = { problem: 200 * MIB, warning: 1024 * MIB };

/** Permission bits of the group and of other users. */
const GROUP_AND_OTHERS = 0o077;

/** Checks the bucket, if there is one, and the folder for other files and the embedded database. */
export function checkStorage({ storage }: Pick<Facts, 'storage'>): Finding[] {
  const { bucket } = storage;
  const inBucket =
    bucket === null
      ? []
      : bucket.problem === null
        ? [ok('storage', `files are in ${bucket.name}, which can be written, listed, read and deleted`)]
        : [problem('storage', bucket.problem.message, bucket.problem.advice)];
  return [...inBucket, ...checkFolder({ storage })];
}

function checkFolder({ storage }: Pick<Facts, 'storage'>): Finding[] {
  const { dataDir, exists, writeError, freeBytes } = storage;
  if (writeError !== null)
    return [
      problem(
        'storage',
        `DATA_DIR ${dataDir} cannot be written to (${writeError})`,
        writeError === 'ENOSPC' ? 'free disk space' : `make it writable for this user, or change DATA_DIR`,
      ),
    ];
  const state = exists ? `DATA_DIR ${dataDir} is writable` : `DATA_DIR ${dataDir} can be created`;
  if (freeBytes === null) return [ok('storage', state)];
  const found = `${state}, ${Math.floor(freeBytes / MIB)} MiB free`;
  const advice = 'free disk space, or move DATA_DIR to a larger disk';
  if (freeBytes < FREE_BYTES.problem) return [problem('storage', found, advice)];
  if (freeBytes < FREE_BYTES.warning) return [warning('storage', found, advice)];
  return [ok('storage', found)];
}

/** Checks whether mails can be sent. */
export function checkMail({ mail }: Pick<Facts, 'mail'>): Finding[] {
  if (mail === null) return [ok('mail', 'MAIL_URL is not set; mails are files in DATA_DIR/mail')];
  const { host, errorCode } = mail;
  if (errorCode === null) return [ok('mail', `${host} accepts mails`)];
  const advice =
    errorCode === 'EAUTH'
      ? 'correct the user and the password in MAIL_URL, percent-encoded'
      : 'check the host and the port in MAIL_URL and the network; mails wait in the queue';
  return [problem('mail', `the mail server ${host} does not accept the store (${errorCode})`, advice)];
}

/** Checks whether the secret key is usable and protected, and the one of this database. */
export function checkSecretKey({ secret, database }: Pick<Facts, 'secret' | 'database'>): Finding[] {
  const file = secret.source === 'file' && secret.exists ? checkKeyFile(secret) : null;
  if (file !== null) return [file];
  if (database.state === 'reachable' && !database.opensKey)
    return [
      problem(
        'secret key',
        'this database was used with another secret key; the store does not start',
        'set SECRET_KEY to that one, or copy secret_key from the former DATA_DIR or a backup; to change the key, set SECRET_KEY_PREVIOUS to that one',
      ),
    ];
  if (secret.source === 'setting') return [ok('secret key', 'SECRET_KEY is set')];
  return [
    ok(
      'secret key',
      secret.exists
        ? `${secret.file} is readable by its owner only`
        : `the first start creates ${secret.file}`,
    ),
  ];
}

/** Returns what is wrong with the file; null if nothing is. */
function checkKeyFile({
  file,
  readable,
  size,
  mode,
}: Extract<SecretFacts, { exists: true }>): Finding | null {
  if (!readable)
    return problem(
      'secret key',
      `${file} cannot be read by this user`,
      'run as the user who runs the store, or change the owner of the file',
    );
  if (size !== SECRET_LENGTH)
    return problem(
      'secret key',
      `${file} is damaged`,
      'restore it from a backup, or delete it; deleting it invalidates the tokens of all orders',
    );
  if ((mode & GROUP_AND_OTHERS) !== 0)
    return problem(
      'secret key',
      `${file} is accessible to other users (mode ${(mode & 0o777).toString(8)})`,
      `chmod 600 ${file}`,
    );
  return null;
}
