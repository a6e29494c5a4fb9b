import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { MalformedCsv, readCsv } from '../../platform/csv/read-csv';
import { BLANK, InvalidResource } from '../../platform/errors';
import { inBatches } from '../../platform/in-batches';
import type { Deps } from '../context';
import { findHeaderProblem, findIgnoredColumns, type ImportKind } from './import-kinds';
import { findNeededFiles } from './imports.repository';

const PREFIX = 'imports';

/** Returns a new storage key for the file of an import. */
export function buildImportKey(): string {
  return `${PREFIX}/${randomUUID()}.csv`;
}

/**
 * Reads the header of a file.
 * @returns the columns that are not read
 * @throws InvalidResource under `file`, if the file cannot be imported as this kind
 */
export async function checkHeader(kind: ImportKind, path: string): Promise<string[]> {
  const names = await readNames(path);
  const problem = findHeaderProblem(kind, names);
  if (problem !== null) throw new InvalidResource({ file: [problem] });
  return findIgnoredColumns(kind, names);
}

async function readNames(path: string): Promise<string[]> {
  try {
    for await (const { names } of readCsv(createReadStream(path))) return [...names];
    throw new InvalidResource({ file: [BLANK] });
  } catch (error) {
    if (error instanceof MalformedCsv)
      throw new InvalidResource({ file: [`line ${error.line}: ${error.message}`] });
    throw error;
  }
}

/** Removes the file of an import that does not need it. Never throws: `removeUnneededImportFiles` removes it later. */
export async function removeImportFile(
  { storage, log }: Pick<Deps, 'storage' | 'log'>,
  storageKey: string,
): Promise<void> {
  await storage.remove(storageKey).catch((error: unknown) => {
    log.warn(
      { err: error, storage_key: storageKey },
      'cannot remove the file of an import; it is removed later',
    );
  });
}

/** Longer than any upload takes from its file to its row. */
const MIN_AGE_MS = 60 * 60 * 1000;

/**
 * Removes the files that no open import reads and that are an hour old. Killed processes leave them. Safe to repeat.
 */
export async function removeUnneededImportFiles(
  deps: Pick<Deps, 'db' | 'storage' | 'now'>,
  isRunning: () => boolean = () => true,
): Promise<number> {
  const before = new Date(deps.now().getTime() - MIN_AGE_MS);
  const keys: string[] = [];
  for await (const file of deps.storage.list(PREFIX)) {
    if (!isRunning()) return 0;
    if (file.modified_at < before) keys.push(file.key);
  }
  return inBatches(
    1000,
    async (size) => {
      const batch = keys.splice(0, size);
      const needed = new Set(await findNeededFiles(deps.db, batch));
      for (const key of batch.filter((one) => !needed.has(one))) await deps.storage.remove(key);
      return batch.length;
    },
    isRunning,
  );
}
