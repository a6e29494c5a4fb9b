import type { Command } from 'commander';
import { openDatabase } from '../../platform/database/open-database';
import type { Manifest } from '../../platform/backup/manifest';
import { loadConfig, type Config } from '../../config';
import { findReferencedStorageKeys, findStorageKeys } from '../../catalog/images/images.repository';
import { backUpStore } from '../backup/back-up-store';
import { grantQueue, lacksQueue } from '../../platform/queue/install-queue';
import { withPartitionsAside } from '../backup/partitions-aside';
import { restoreDump, restoreEmbedded, type Restored } from '../backup/restore-store';
import { addCommand, type Cli, type Io } from '../cli';
import { CommandRefused } from '../failures';
import { createCommandLog, withStore } from '../open-store';

/** Adds `store backup` and `store restore`. */
export function addBackup(program: Command, cli: Cli): void {
  addCommand(program, 'backup', {
    summary: 'Copy the database, the files and the secret key to a new folder',
    about:
      'The store may be running and taking orders. With DATABASE_URL, pg_dump must be installed. With STORAGE_URL, the files stay in the bucket. The folder contains secrets; protect it like DATA_DIR.',
  })
    .argument('<folder>', 'a folder that does not exist')
    .option('--files', 'with STORAGE_URL, copy the files of the bucket too')
    .action((folder: string, options: { json?: boolean; files?: boolean }) =>
      cli.run(options, async () => {
        const { manifest, missing } = await backUp(cli.io, folder, options.files === true);
        return {
          json: { ...summarize(manifest, folder), missing_images: missing },
          text: [describe(manifest, folder), ...explainMissing(missing, loadConfig(cli.io.env))].join('\n'),
        };
      }),
    );
  addCommand(program, 'restore', {
    summary: 'Restore a backup of store backup',
    about:
      'Stop the store first. With the embedded database, DATA_DIR must have no store; with DATABASE_URL, that database must be empty.',
  })
    .argument('<folder>', 'a folder that store backup has created')
    .option(
      '--replace',
      'replace the store that is there; its old DATA_DIR is kept, its old DATABASE_URL is not',
    )
    .action((folder: string, options: { json?: boolean; replace?: boolean }) =>
      cli.run(options, async () => {
        const { manifest, replaced } = await restore(cli.io, folder, options.replace === true);
        const lines = [
          `Restored ${folder} of ${manifest.created_at}.`,
          ...(replaced === null
            ? []
            : [`The replaced data is in ${replaced}; delete it when you no longer need it.`]),
          ...explainFiles(manifest, loadConfig(cli.io.env)),
          ...(manifest.has_secret_key ? [] : ['Set SECRET_KEY to the value that the store had.']),
          'Start the store, and run npm run verify.',
        ];
        return { json: { ...summarize(manifest, folder), replaced }, text: lines.join('\n') };
      }),
    );
}

/** Says what is left to do for the files. */
function explainFiles({ bucket, files }: Manifest, { storage }: Config): string[] {
  if (bucket !== undefined)
    return [`The files are in ${bucket}; set STORAGE_URL to it, and undelete files that were removed since.`];
  const hasFiles = files.some(({ path }) => path.startsWith('files/'));
  return storage !== null && hasFiles
    ? ['The files are in DATA_DIR; copy them to STORAGE_URL with store files move bucket.']
    : [];
}

/** A backup, and how many images of the database have no file in it. */
interface BackedUp {
  manifest: Manifest;
  missing: number;
}

async function backUp(io: Io, folder: string, includesBucket: boolean): Promise<BackedUp> {
  return withStore(io, 'existing', async ({ config, db, url }) => {
    const { rows } = await db.raw<{ rows: { version: number }[] }>(
      `SELECT current_setting('server_version_num')::integer AS version`,
    );
    const serverVersion = rows[0]?.version ?? 0;
    // The first migration may have been interrupted.
    const keys = (await db.schema.hasTable('images')) ? await findStorageKeys(db) : [];
    const manifest = await backUpStore({ config, url, serverVersion, includesBucket }, folder);
    if (manifest.bucket !== undefined) return { manifest, missing: 0 };
    const copied = new Set(manifest.files.map(({ path }) => path.replace(/^files\/(.*)\/.*$/, '$1')));
    const missing = keys.filter((key) => !copied.has(key));
    if (missing.length === 0) return { manifest, missing: 0 };
    // Images that were deleted meanwhile have no row.
    return { manifest, missing: (await findReferencedStorageKeys(db, missing)).length };
  });
}

function explainMissing(missing: number, { storage }: Config): string[] {
  if (missing === 0) return [];
  const [setting, place] = storage === null ? ['DATA_DIR', 'folder'] : ['STORAGE_URL', 'bucket'];
  return [
    `It lacks the files of some images (${missing}), which are not in ${setting}. Set ${setting} to the ${place} of the server, and back up again.`,
  ];
}

async function restore(io: Io, folder: string, replaces: boolean): Promise<Restored> {
  const config = loadConfig(io.env);
  if (config.databaseUrl === null) {
    const restored = await restoreEmbedded(config, folder, { replaces });
    // The server recovers its data folder, or says why it cannot.
    const database = await openDatabase({ url: null, dataDir: config.dataDir }, createCommandLog());
    await database.stop();
    return restored;
  }
  return withStore(io, 'existing', async ({ db, url }) => {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `SELECT FROM pg_tables WHERE schemaname = current_schema() LIMIT 1`,
    );
    if (rows.length > 0 && !replaces)
      throw new CommandRefused(
        'the database is not empty; set DATABASE_URL to an empty one, or use --replace, which deletes its tables',
      );
    const load = () => restoreDump({ config, url }, folder, { replaces });
    const restored = replaces ? await withPartitionsAside(db, load) : await load();
    if (!(await lacksQueue(db))) await grantQueue(db);
    return restored;
  });
}

function summarize({ files, ...manifest }: Manifest, folder: string): object {
  return { folder, ...manifest, files: files.length, bytes: sumSizes(files) };
}

function sumSizes(files: Manifest['files']): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function describe(manifest: Manifest, folder: string): string {
  const { files, kind, has_secret_key } = manifest;
  const uploads = files.filter(({ path }) => path.startsWith('files/')).length;
  const database = kind === 'embedded' ? 'the embedded database' : 'a dump of the database';
  return [
    `${folder} has ${database}, ${uploads} uploaded files${has_secret_key ? ' and the secret key' : ''}: ${Math.ceil(sumSizes(files) / 1024 / 1024)} MiB.`,
    ...(manifest.bucket === undefined
      ? []
      : [`The files stay in ${manifest.bucket}; protect them with versions of the bucket, or use --files.`]),
    ...(has_secret_key ? [] : ['It lacks SECRET_KEY; keep its value too.']),
  ].join('\n');
}
