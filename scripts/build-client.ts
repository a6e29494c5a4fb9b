import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeClientTypes } from './client-types';

const CLIENT = path.resolve(__dirname, '../client');

/**
 * Bundles the client as one ECMAScript module for browsers and Node, and one CommonJS module. They include
 * openapi-fetch, so a page needs neither a bundler nor an import map.
 */
export async function bundleClient(folder: string): Promise<void> {
  await bundleAs('esm', path.join(folder, 'index.js'));
  await bundleAs('cjs', path.join(folder, 'index.cjs'));
}

async function bundleAs(format: 'esm' | 'cjs', outfile: string): Promise<void> {
  await build({
    absWorkingDir: CLIENT,
    entryPoints: ['src/index.ts'],
    outfile,
    bundle: true,
    format,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    target: 'es2022',
    sourcemap: true,
    legalComments: 'inline',
    logLevel: 'warning',
  });
}

/** Writes the type declarations, one file per module. @throws Error if the client does not compile */
function writeDeclarations(folder: string): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      path.resolve(CLIENT, '../node_modules/typescript-7/bin/tsc'),
      '-p',
      path.join(CLIENT, 'tsconfig.build.json'),
      '--outDir',
      folder,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the client does not compile:\n${stdout}`);
  // In CommonJS, a declaration of an ECMAScript module cannot be imported, so it has its own.
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(path.join(folder, name), 'utf8');
    writeFileSync(
      path.join(folder, name.replace(/ts$/, 'cts')),
      text.replace(/(from '\.\/\w+)\.ts'/g, "$1.cts'"),
    );
  }
}

/** Builds the client into client/dist or the given folder (`npm run client`). */
async function main(folder = path.join(CLIENT, 'dist')): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await writeClientTypes();
  await bundleClient(folder);
  writeDeclarations(folder);
  process.stdout.write(`${path.join(folder, 'index.js')}\n`);
}

if (require.main === module) {
  main(process.argv[2]).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
