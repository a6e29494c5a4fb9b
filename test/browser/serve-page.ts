import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { listen, type Listening } from '../support/listen';

/** Tells the browser where the client is. */
export const IMPORT_MAP =
  '<script type="importmap">{ "imports": { "store-api-client": "/store-api-client.js" } }</script>';

/**
 * Serves a page at an origin of its own: `html` at `/`, its script at `/page.js`, and the built client, as a shop would serve the
 * file of the package. The script is compiled from TypeScript with what it imports, except the client.
 */
export async function servePage(html: string, script: string): Promise<Listening> {
  const files: Record<string, { type: string; content: string }> = {
    '/': { type: 'text/html', content: html },
    '/page.js': { type: 'text/javascript', content: await bundleScript(script) },
    '/store-api-client.js': { type: 'text/javascript', content: buildClient() },
  };
  return listen((request, response) => {
    const file = files[new URL(request.url ?? '', 'http://page').pathname];
    response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': file?.type ?? 'text/plain' });
    response.end(file?.content);
  });
}

async function bundleScript(script: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [script],
    bundle: true,
    external: ['store-api-client'],
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

const ROOT = path.resolve(__dirname, '../..');

/** Builds the client as `npm pack` does and returns its ECMAScript module. In a process of its own, which loads what jest cannot. */
function buildClient(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'store-page-client-'));
  const tsx = path.join(ROOT, 'node_modules/tsx/dist/cli.mjs');
  try {
    execFileSync(process.execPath, [tsx, 'scripts/build-client.ts', folder], { cwd: ROOT, stdio: 'pipe' });
    return readFileSync(path.join(folder, 'index.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
