import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import type { FileStorage } from '../../src/platform/storage/storage';
import { unique } from './unique';

/** The folder for files of this test file's application; created at the first write. */
export const STORAGE_FOLDER = path.join(tmpdir(), unique('store-test-files'));

/** Returns the file storage of this test file. */
export function testStorage(): FileStorage {
  return createLocalDisk(STORAGE_FOLDER);
}

/** Removes the stored files. Called by each-file.ts. */
export async function removeTestStorage(): Promise<void> {
  await rm(STORAGE_FOLDER, { recursive: true, force: true });
}

/** Lists the keys of all stored files, sorted. */
export async function listStoredKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const file of testStorage().list('images')) keys.push(file.key);
  return keys.sort();
}

/** Lists the temporary files of uploads that this process has not removed. */
export async function listTemporaryFiles(): Promise<string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => name.startsWith(`store-upload-${process.pid}-`));
}
