import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns the folder of the built shop or back office; null if it is not built. */
export function findFace(name: 'shop' | 'office'): string | null {
  // The first one beside the compiled program, the second one for a program that runs from its sources.
  const folders = ['../../web', '../../dist/web'].map((folder) => path.join(__dirname, folder, name));
  return folders.find((folder) => existsSync(path.join(folder, 'client/index.html'))) ?? null;
}
