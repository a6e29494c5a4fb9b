import { readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['src/sales', 'src/inventory', 'src/platform/idempotency'];

/** Declarations: they run once, when the program is built, so it is not known which tests depend on them. */
const DECLARATIONS = /\.(router|schema|definition|search)\.ts$/;

/** It runs in a thread of its own, where no mutant is active. */
const THREADS: readonly string[] = ['src/sales/documents/document-worker.ts'];

/** Returns whether a file, relative to the project, has mutants. */
export function isMutated(file: string): boolean {
  return (
    FOLDERS.some((folder) => file.startsWith(`${folder}/`)) &&
    file.endsWith('.ts') &&
    !DECLARATIONS.test(file) &&
    !THREADS.includes(file)
  );
}

/** Returns the files that have mutants, relative to the project and sorted. */
export function listMutatedFiles(root: string): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.split(path.sep).join('/')}`,
    ),
  )
    .filter(isMutated)
    .sort();
}
