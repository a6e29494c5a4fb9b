import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import type { FileStorage } from '../../src/platform/storage/storage';
import { unique } from './unique';

/** Where the files of this test file's application are; made at the first one. */
export const STORAGE_FOLDER = path.join(tmpdir(), unique('store-test-files'));

/** Keeps files until the test file is over. */
export function testStorage(): FileStorage {
  return createLocalDisk(STORAGE_FOLDER);
}

/** For each-file.ts. */
export async function removeTestStorage(): Promise<void> {
  await rm(STORAGE_FOLDER, { recursive: true, force: true });
}

/** The keys of every stored file, in order. */
export async function listStoredKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const file of testStorage().list('images')) keys.push(file.key);
  return keys.sort();
}

/** Files of uploads that this process has not removed from the system's temporary folder. */
export async function listTemporaryFiles(): Promise<string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => name.startsWith(`store-upload-${process.pid}-`));
}
