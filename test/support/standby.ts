import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/database/embedded';
import { queryUrl } from './query-url';

const log = pino({ level: 'silent' });

/** A PostgreSQL server and its streaming replica. */
export interface Pair {
  primary: EmbeddedPostgres;
  standby: EmbeddedPostgres;
}

/**
 * Starts a server without data, and a streaming replica of it, in the subfolders `primary` and `standby`.
 * @param options.isSynchronous whether the primary confirms only commits that the replica has on its disk; defaults to no
 * durability at all
 */
export async function startPair(folder: string, { isSynchronous = false } = {}): Promise<Pair> {
  const fast = !isSynchronous;
  const [first, second] = [path.join(folder, 'primary'), path.join(folder, 'standby')];
  mkdirSync(first);
  mkdirSync(second);
  const empty = await startEmbeddedPostgres({ dataDir: first, log, fast });
  await empty.stop();
  // A copy of a stopped primary is a base backup.
  cpSync(path.join(first, 'postgres'), path.join(second, 'postgres'), { recursive: true });
  cpSync(path.join(first, 'postgres.json'), path.join(second, 'postgres.json'));
  const primary = await startEmbeddedPostgres({ dataDir: first, log, fast });
  const { port, username, password } = new URL(primary.url);
  writeFileSync(path.join(second, 'postgres', 'standby.signal'), '');
  appendFileSync(
    path.join(second, 'postgres', 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  const standby = await startStandby(folder, fast);
  if (isSynchronous) {
    await queryUrl(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await queryUrl(primary.url, 'SELECT pg_reload_conf()');
  }
  return { primary, standby };
}

/** Starts the replica of a pair again. */
export function startStandby(folder: string, fast = true): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: path.join(folder, 'standby'), log, fast });
}

/** Waits until the replica has replayed everything that the primary has written. */
export async function waitForStandby({ primary, standby }: Pair): Promise<void> {
  // What is inserted is written a little later, because these servers commit asynchronously.
  const [written] = await queryUrl(primary.url, 'SELECT pg_current_wal_insert_lsn()::text AS lsn');
  for (;;) {
    const [row] = await queryUrl(
      standby.url,
      `SELECT pg_last_wal_replay_lsn() >= '${String(written?.lsn)}'::pg_lsn AS is_there`,
    );
    if (row?.is_there === true) return;
  }
}

/** Ends the replication: what the primary commits from now on is lost when it dies. */
export async function cutReplication({ standby }: Pair): Promise<void> {
  await queryUrl(standby.url, `ALTER SYSTEM SET primary_conninfo = ''`);
  await queryUrl(standby.url, 'SELECT pg_reload_conf()');
  for (;;) {
    const [row] = await queryUrl(standby.url, 'SELECT count(*)::integer AS n FROM pg_stat_wal_receiver');
    if (row?.n === 0) return;
  }
}

/** Makes the replica the primary. */
export async function promote({ standby }: Pair): Promise<void> {
  await queryUrl(standby.url, 'SELECT pg_promote()');
}
