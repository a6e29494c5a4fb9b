import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeClientTypes } from './client-types';

const CLIENT = path.resolve(__dirname, '../client');

/**
 * The client as one ECMAScript module that browsers and Node run as it is: openapi-fetch is in it, so a page needs
 * neither bundler nor import map.
 */
export async function bundleClient(folder: string): Promise<void> {
  await build({
    absWorkingDir: CLIENT,
    entryPoints: ['src/index.ts'],
    outfile: path.join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    target: 'es2022',
    sourcemap: true,
    legalComments: 'inline',
    logLevel: 'warning',
  });
}

/** The declarations beside it, one file for each module. @throws Error when the client does not compile */
function declareClient(folder: string): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      require.resolve('typescript/bin/tsc'),
      ...['-p', path.join(CLIENT, 'tsconfig.build.json'), '--outDir', folder],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the client does not compile:\n${stdout}`);
}

/** `npm run client`: both into client/dist, or into the folder named. */
async function main(folder = path.join(CLIENT, 'dist')): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await writeClientTypes();
  await bundleClient(folder);
  declareClient(folder);
  process.stdout.write(`${path.join(folder, 'index.js')}\n`);
}

if (require.main === module) {
  main(process.argv[2]).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
