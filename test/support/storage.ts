import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localDisk } from '../../src/platform/storage/local-disk';
import type { FileStorage } from '../../src/platform/storage/storage';
import { unique } from './unique';

/** Where the files of this test file's application are; made at the first one. */
export const STORAGE_FOLDER = path.join(tmpdir(), unique('store-test-files'));

/** Keeps files until the test file is over. */
export function testStorage(): FileStorage {
  return localDisk(STORAGE_FOLDER);
}

/** For worker-database.ts. */
export async function removeTestStorage(): Promise<void> {
  await rm(STORAGE_FOLDER, { recursive: true, force: true });
}
