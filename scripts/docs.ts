import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generatedDocuments } from './documents';

const FOLDER = path.resolve(__dirname, '../docs');

/** `npm run docs`: writes what the code tells of itself into docs/. Needs no database. */
async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, content] of Object.entries(await generatedDocuments())) {
    await writeFile(path.join(FOLDER, name), content);
    process.stdout.write(`docs/${name}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
