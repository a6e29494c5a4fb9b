import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateDocuments } from './documents';

const FOLDER = path.resolve(__dirname, '../docs');

/** Writes the generated documents into docs/ (`npm run docs`). Needs no database. */
async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, content] of Object.entries(await generateDocuments())) {
    await writeFile(path.join(FOLDER, name), content);
    process.stdout.write(`docs/${name}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
