import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Knex } from 'knex';
import { readGuides } from '../../docs-content/guides';
import { closeDatabase } from '../../src/platform/database/knex';
import { anAdmin } from '../support/accounts.factory';
import { makeTestApp } from '../support/api';
import { createDemoDatabase } from '../support/demo-shop';
import { expectNoViolations } from '../support/invariants';
import { listen, type Listening } from '../support/listen';
import { testStorage } from '../support/storage';

const ROOT = path.resolve(__dirname, '../..');
const run = promisify(execFile);
const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
const testWithTools = missing.length === 0 ? test : test.skip;

/** The code of all guides in one language. Later guides use the variables of earlier ones. */
const codeOf = (language: string): string =>
  readGuides()
    .flatMap(({ name, text }) => [
      `${language === 'sh' ? '#' : '//'} ${name}`,
      ...[...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code),
    ])
    .join('\n');

describe('the guides', () => {
  let db: Knex;
  let store: Listening;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const types = [path.join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'scripts/client-types.ts'];
    expect(spawnSync(process.execPath, types, { cwd: ROOT }).status).toBe(0);
    folder = mkdtempSync(path.join(os.tmpdir(), 'store-guides-'));
    db = await createDemoDatabase();
    store = await listen(makeTestApp({ db, storage: testStorage() }).app);
    env = { PATH: process.env.PATH, STORE: store.url, ADMIN_TOKEN: (await anAdmin(db)).token };
  }, 180_000);

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await store.close();
    await closeDatabase(db);
  });

  testWithTools(
    'work as written with curl',
    async () => {
      const script = path.join(folder, 'guides.sh');
      writeFileSync(script, codeOf('sh'));
      const { stdout } = await run('bash', ['-euo', 'pipefail', script], { cwd: folder, env });
      const lines = stdout.replaceAll('\r', '').trim().split('\n');
      expect(lines.slice(1, 5)).toEqual(['address', 'delivery', 'confirm', 'complete']);
      expect(lines.slice(5, 9)).toEqual([
        'confirm',
        expect.stringMatching(/^x-error-code: payment_declined$/i),
        'confirm',
        'complete',
      ]);
      expect(lines.slice(10, 15)).toEqual([
        'the cart is hers',
        'coupon_code_applied',
        expect.stringMatching(/^-\$\d+\.\d\d$/),
        'coupon_code_not_found',
        'coupon_code_removed',
      ]);
      expect(lines.slice(15)).toEqual([
        ...['confirm', 'complete', 'completed', 'shipped', 'authorized', 'received', 'credit_owed'],
        ...['completed', 'returned', 'paid', 'one order'],
        ...['0 new orders', '0 failed', '0 failed', 'ready', '$', '1'],
      ]);
      await expectNoViolations(undefined, db);
    },
    120_000,
  );

  test('work as written with the typed client', async () => {
    const source = path.join(folder, 'guides.mts');
    writeFileSync(source, codeOf('ts'));
    const alias = { 'store-api-client': path.join(ROOT, 'client/src/index.ts') };
    const outfile = path.join(folder, 'guides.mjs');
    await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node', alias });
    const { stdout } = await run(process.execPath, [outfile], { env });
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^complete balance_due$/),
      'payment_declined',
      'complete',
      'true',
      expect.stringMatching(/^coupon_code_applied -\$\d+\.\d\d$/),
      '1',
      '1',
      'true 21.0',
      '$',
      '200',
    ]);
    await expectNoViolations(undefined, db);
  }, 120_000);

  test('have code that compiles against the types of the client', () => {
    writeFileSync(path.join(folder, 'types.mts'), codeOf('ts'));
    const paths = { 'store-api-client': [path.join(ROOT, 'client/src/index.ts')] };
    const config = {
      extends: path.join(ROOT, 'client/tsconfig.json'),
      compilerOptions: {
        ...{ paths, rootDir: '/', types: ['node'], noEmit: true, lib: ['es2022', 'dom', 'dom.iterable'] },
        typeRoots: [path.join(ROOT, 'node_modules/@types')],
      },
      include: ['types.mts'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  }, 120_000);
});
