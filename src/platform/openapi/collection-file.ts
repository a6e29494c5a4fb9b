import { existsSync } from 'node:fs';
import path from 'node:path';

export const COLLECTION = 'store.postman_collection.json';

/**
 * The collection that `npm run docs` writes, found upwards of `folder`: the program runs from src/ and from dist/.
 * Null where it was not shipped along.
 */
export function findCollection(folder: string): string | null {
  const file = path.join(folder, 'docs', COLLECTION);
  if (existsSync(file)) return file;
  const above = path.dirname(folder);
  return above === folder ? null : findCollection(above);
}
