import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { buildApplicationName } from '../process-identity';
import { forEachConcurrently } from '../for-each-concurrently';
import { copyInto, listTree } from './copy-files';
import type { BackupFile } from './manifest';

/** A running server and its data folder. */
interface RunningCluster {
  /** Of a superuser. */
  url: string;
  folder: string;
}

/** Folders whose content a copy must not or need not contain; the folders themselves must exist. */
const EMPTY_FOLDERS = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];

const CONTROL_FILE = 'global/pg_control';

/** Files that belong to the running server or are built again, as pg_basebackup leaves them out. */
const LEFT_OUT =
  /(^|\/)(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pg_internal\.init(\.\d+)?|pgsql_tmp[^/]*|current_logfiles|postgresql\.auto\.conf\.tmp)$/;

const isExcluded = (name: string): boolean =>
  LEFT_OUT.test(name) || EMPTY_FOLDERS.some((folder) => name.startsWith(`${folder}/`));

/**
 * Copies the data folder of a running PostgreSQL to `target`/postgres: a base backup like those of pg_basebackup, which
 * the embedded PostgreSQL lacks. Writes may go on. A server that starts on the copy has every transaction that was
 * committed when copying ended, and none in part.
 * @returns the files of the copy, with paths relative to `target`
 */
export async function backUpCluster({ url, folder }: RunningCluster, target: string): Promise<BackupFile[]> {
  const application_name = buildApplicationName('backup');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name });
  client.on('error', () => undefined); // the queries also report it
  await client.connect();
  try {
    // The slot ends with the connection. It keeps the WAL from here on, which the copy needs.
    await client.query(`SELECT pg_create_physical_replication_slot($1, true, true)`, [
      `store_backup_${process.pid}_${Date.now()}`,
    ]);
    await client.query(`SELECT pg_backup_start('store backup', true)`);
    const copied = await copyDataFolder(folder, target);
    const { rows } = await client.query<{ label: string; last: string }>(
      `SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(false)`,
    );
    const [stopped] = rows;
    if (stopped === undefined) throw new Error('pg_backup_stop returned no row');
    const label = await writeLabel(target, stopped.label);
    const wal = await copyWal(folder, target, { first: findFirstSegment(stopped.label), last: stopped.last });
    return [...copied, label, ...wal];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function copyDataFolder(folder: string, target: string): Promise<BackupFile[]> {
  const { folders, files } = await listTree(folder, isExcluded);
  await mkdir(path.join(target, 'postgres'), { mode: 0o700 });
  for (const name of folders)
    await mkdir(path.join(target, 'postgres', name), { recursive: true, mode: 0o700 });
  const copied: BackupFile[] = [];
  await forEachConcurrently(
    files.filter((name) => name !== CONTROL_FILE),
    async (name) => {
      // Nothing if a table was dropped, and its file with it.
      copied.push(...(await copyInto(target, `postgres/${name}`, path.join(folder, name))));
    },
  );
  return [...copied, ...(await copyControlFile(folder, target))];
}

/** Copies pg_control, which has no protection against a read during a write, until the copy equals the source. */
async function copyControlFile(folder: string, target: string): Promise<BackupFile[]> {
  const [from, to] = [path.join(folder, CONTROL_FILE), `postgres/${CONTROL_FILE}`];
  for (;;) {
    const copied = await copyInto(target, to, from);
    const [source, copy] = [await readFile(from), await readFile(path.join(target, to))];
    if (source.equals(copy)) return copied;
    await endOfTurn();
  }
}

/** Writes the file that makes the server recover from the start of the copy. */
async function writeLabel(target: string, text: string): Promise<BackupFile> {
  const content = Buffer.from(text);
  const name = 'postgres/backup_label';
  await writeFile(path.join(target, name), content, { mode: 0o600, flush: true });
  return { path: name, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** The name of the segment in the first line of a backup label. */
function findFirstSegment(label: string): string {
  const [, name] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/.exec(label) ?? [];
  if (name === undefined) throw new Error('the backup label names no WAL file');
  return name;
}

async function copyWal(
  folder: string,
  target: string,
  { first, last }: { first: string; last: string },
): Promise<BackupFile[]> {
  const { files } = await listTree(path.join(folder, 'pg_wal'));
  const needed = files.filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last).sort();
  if (needed[0] !== first) throw new Error(`the WAL file ${first} is missing`);
  const copied: BackupFile[] = [];
  for (const name of needed) {
    copied.push(...(await copyInto(target, `postgres/pg_wal/${name}`, path.join(folder, 'pg_wal', name))));
  }
  return copied;
}
