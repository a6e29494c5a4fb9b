import type { Knex } from 'knex';
import { readErrorCode } from '../error-code';

/** The SQLSTATE of a write that failed because the disk of the database server is full. */
const DISK_FULL = '53100';

/**
 * A statement that needs more disk space and leaves nothing: a table of 256 KiB that ends with its transaction. Changes
 * of existing rows may succeed on a full disk.
 */
const NEEDS_SPACE = `CREATE TEMPORARY TABLE needs_space ON COMMIT DROP AS
  SELECT md5(n::text) AS filler FROM generate_series(1, 4000) AS n`;

type DiskCheck = () => Promise<boolean>;

/** The checks of the watched pools. */
const checks = new WeakMap<Knex, DiskCheck>();

/**
 * Watches the disk of the database server, which may be another machine. The returned function resolves to whether it
 * is full: once a statement has failed for it, until a statement that needs space succeeds. Without such a failure it
 * sends no statement. A pool that is watched already is not watched again.
 */
export function watchDisk(db: Knex): DiskCheck {
  const check = checks.get(db) ?? createCheck(db);
  checks.set(db, check);
  return check;
}

function createCheck(db: Knex): DiskCheck {
  let mayBeFull = false;
  db.on('query-error', (error: unknown) => {
    if (readErrorCode(error) === DISK_FULL) mayBeFull = true;
  });
  return async () => {
    if (!mayBeFull) return false;
    try {
      await db.raw(NEEDS_SPACE);
    } catch (error) {
      if (readErrorCode(error) === DISK_FULL) return true;
      // A user without the privilege for temporary tables must not stay unready.
      mayBeFull = false;
      throw error;
    }
    mayBeFull = false;
    return false;
  };
}
