import { SECRET_LENGTH } from '../../boot/secret-key';
import type { Facts, SecretFacts } from './facts';
import { ok, problem, warning, type Finding } from './finding';

const MIB = 1024 * 1024;

/** Below the first nothing can be relied on; below the second there is time to act. */
const FREE_BYTES = { least: 200 * MIB, comfortable: 1024 * MIB };

const OTHERS_MAY = 0o077;

/** Whether there is a place for uploaded images, and for the embedded database. */
export function storageFindings({ storage }: Pick<Facts, 'storage'>): Finding[] {
  const { data_dir, is_made, write_error, free_bytes } = storage;
  if (write_error !== null)
    return [
      problem(
        'storage',
        `DATA_DIR ${data_dir} cannot be written to (${write_error})`,
        write_error === 'ENOSPC'
          ? 'make room on its disk'
          : `make it writable for this user, or set DATA_DIR`,
      ),
    ];
  const state = is_made ? `DATA_DIR ${data_dir} is writable` : `DATA_DIR ${data_dir} can be made`;
  if (free_bytes === null) return [ok('storage', state)];
  const found = `${state}, ${Math.floor(free_bytes / MIB)} MiB are free`;
  const advice = 'make room on its disk, or move DATA_DIR to a larger one';
  if (free_bytes < FREE_BYTES.least) return [problem('storage', found, advice)];
  if (free_bytes < FREE_BYTES.comfortable) return [warning('storage', found, advice)];
  return [ok('storage', found)];
}

/** Whether order tokens can be derived, and by nobody else. */
export function secretFindings({ secret }: { secret: SecretFacts }): Finding[] {
  if (secret.source === 'setting') return [ok('secret key', 'SECRET_KEY is set')];
  if (!secret.is_made) return [ok('secret key', `The first start makes ${secret.file}`)];
  const { file, readable, size, mode } = secret;
  if (!readable)
    return [
      problem(
        'secret key',
        `${file} cannot be read by this user`,
        'run as the user who runs the store, or give the file to this user',
      ),
    ];
  if (size !== SECRET_LENGTH)
    return [
      problem(
        'secret key',
        `${file} is damaged`,
        'restore it from a backup, or delete it and accept that the tokens of all orders change',
      ),
    ];
  if ((mode & OTHERS_MAY) !== 0)
    return [
      problem(
        'secret key',
        `${file} is open to other users (mode ${(mode & 0o777).toString(8)})`,
        `chmod 600 ${file}`,
      ),
    ];
  return [ok('secret key', `${file} is there, for this user only`)];
}
