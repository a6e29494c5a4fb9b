import { execFile, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import type { Knex } from 'knex';
import { closeDatabase } from '../../src/platform/database/knex';
import { anAdmin } from '../support/accounts.factory';
import { makeTestApp } from '../support/api';
import { createDemoDatabase } from '../support/demo-shop';
import { listen, type Listening } from '../support/listen';
import { testStorage } from '../support/storage';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const run = promisify(execFile);

const tour = read('docs/tour.mts').split('// --- tour ---\n')[1]?.trim() ?? '';

test('the README of the client contains the snippets of the tour', () => {
  const snippets = [...read('client/README.md').matchAll(/^```ts\n(.*?)\n```$/gms)].map(([, code]) => code);
  expect(snippets.join('\n\n')).toBe(tour);
});

/** A separate project with the package of the client installed in its node_modules. */
describe('in a project of its own', () => {
  let project: string;
  const inProject = (...parts: string[]): string => path.join(project, ...parts);

  beforeAll(() => {
    project = mkdtempSync(path.join(os.tmpdir(), 'store-client-'));
    const installed = inProject('node_modules/store-api-client');
    mkdirSync(installed, { recursive: true });
    copyFileSync(path.join(ROOT, 'client/package.json'), path.join(installed, 'package.json'));
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types', 'undici-types']) {
      symlinkSync(path.join(ROOT, 'node_modules', name), inProject('node_modules', name));
    }
    const built = spawnSync(
      process.execPath,
      [
        path.join(ROOT, 'node_modules/tsx/dist/cli.mjs'),
        'scripts/build-client.ts',
        path.join(installed, 'dist'),
      ],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect([built.status, built.stderr]).toEqual([0, '']);
    copyFileSync(path.join(ROOT, 'docs/tour.mts'), inProject('tour.mts'));
    const { code } = transformSync(read('docs/tour.mts'), { loader: 'ts', format: 'esm' });
    writeFileSync(inProject('tour.mjs'), code);
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test('the tour compiles against the declarations', () => {
    const tsc = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', 'tour.mts'];
    const options = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--skipLibCheck'];
    const { stdout } = spawnSync(process.execPath, [...tsc, ...options], { cwd: project, encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  test('the client is one module without imports', () => {
    const module = readFileSync(inProject('node_modules/store-api-client/dist/index.js'), 'utf8');
    expect(module.match(/^\s*import\b.*/gm)).toBeNull();
    expect(module).not.toMatch(/\b(require|import)\(/);
  });

  describe('against the demo store', () => {
    let db: Knex;
    let store: Listening;

    beforeAll(async () => {
      db = await createDemoDatabase();
      const { app } = makeTestApp({ db, storage: testStorage() });
      store = await listen(app);
    });

    afterAll(async () => {
      await store.close();
      await closeDatabase(db);
    });

    test('the tour runs from browsing to the refund', async () => {
      const { token } = await anAdmin(db);
      const { stdout } = await run(process.execPath, ['tour.mjs'], {
        cwd: project,
        env: { PATH: process.env.PATH, STORE: store.url, ADMIN_TOKEN: token },
      });

      const [found, refused, ...rest] = stdout.trim().split('\n');
      expect(found).toMatch(/^[1-9]\d* \$\d+\.\d\d$/);
      expect(refused).toMatch(/^422 Invalid resource\. .*quantity/);
      expect(rest).toEqual([
        expect.stringMatching(/^complete \$\d+\.\d\d$/),
        'completed shipped',
        'received credit_owed paid',
      ]);
    });
  });
});
