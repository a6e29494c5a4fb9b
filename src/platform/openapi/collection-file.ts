import { existsSync } from 'node:fs';
import path from 'node:path';

export const COLLECTION = 'store.postman_collection.json';

/**
 * Finds the collection that `npm run docs` writes, in `folder` or above it, because the program runs from src/ and from
 * dist/. Null if it is not installed.
 */
export function findCollection(folder: string): string | null {
  const file = path.join(folder, 'docs', COLLECTION);
  if (existsSync(file)) return file;
  const above = path.dirname(folder);
  return above === folder ? null : findCollection(above);
}
