import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readErrorCode } from '../error-code';
import { StartupError } from '../startup-error';

/** The file of a backup that lists its content. It is written last, so a backup without it is incomplete. */
const MANIFEST = 'backup.json';

const ManifestSchema = z.object({
  format: z.literal(1),
  created_at: z.iso.datetime(),
  /** The version of the program that made the backup. */
  version: z.string(),
  /** embedded: the data folder of the embedded PostgreSQL. dump: a file of pg_dump. */
  kind: z.enum(['embedded', 'dump']),
  /** The major version of PostgreSQL. */
  postgres: z.int(),
  /** Such as `linux-x64`: data folders of other systems cannot be read. */
  platform: z.string(),
  /** Whether the backup contains the secret key. It does not if SECRET_KEY was set. */
  has_secret_key: z.boolean(),
  /** The bucket in which the files stayed; missing if there is none, or if the backup contains them. */
  bucket: z.string().optional(),
  files: z.array(z.object({ path: z.string(), size: z.int(), sha256: z.string() })),
});

export type Manifest = z.output<typeof ManifestSchema>;

/** A file of a backup; `path` is relative to the folder of the backup, with slashes. */
export type BackupFile = Manifest['files'][number];

/** Writes the manifest, which completes a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await writeFile(path.join(folder, MANIFEST), text, { mode: 0o600, flush: true });
}

/** Reads the manifest of a backup. @throws StartupError if the folder is not a complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, MANIFEST);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new StartupError(
      `${folder} is not a complete backup (${MANIFEST}: ${readErrorCode(error) ?? 'unreadable'}); name a folder that store backup has created`,
    );
  }
  try {
    return ManifestSchema.parse(JSON.parse(text));
  } catch {
    throw new StartupError(`${file} is damaged or of a newer version; use another backup`);
  }
}
