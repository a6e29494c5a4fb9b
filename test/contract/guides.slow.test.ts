import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Knex } from 'knex';
import { readGuides } from '../../docs-content/guides';
import { runImports } from '../../src/exchange/imports/run-import';
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

/** The code of a guide in one language. */
const codeOf = (text: string, language: string): string =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
    .map(([, code]) => code)
    .join('\n');

const GUIDES = readGuides();
const namesOf = (language: string) =>
  GUIDES.filter(({ text }) => codeOf(text, language) !== '').map(({ name }) => name);
const textOf = (name: string): string => GUIDES.find((guide) => guide.name === name)?.text ?? '';

/** What the tour of README.md leaves in a shell, of which STORE is another one than in a guide. */
const TOUR =
  readFileSync(path.join(ROOT, 'docs/tour.sh'), 'utf8').split('# --- tour ---')[1]?.split('\n\n')[1] ?? '';

/** What each guide prints with curl; the last lines. */
const PRINTED: Record<string, unknown[]> = {
  'build-a-storefront': ['Categories / Kitchen / Drinkware', 'true', 'true'],
  'guest-checkout': ['address', 'delivery', 'confirm', 'complete'],
  'declined-card': [
    'confirm',
    expect.stringMatching(/^x-error-code: payment_declined$/i),
    ...['confirm', 'complete'],
  ],
  'take-real-payments': ['confirm', 'https://bank.example/confirm', 'pending', 'complete'],
  'sign-in-with-a-cart': ['the cart is hers'],
  coupons: [
    'coupon_code_applied',
    expect.stringMatching(/^-\$\d+\.\d\d$/),
    ...['coupon_code_not_found', 'coupon_code_removed'],
  ],
  returns: [
    ...['confirm', 'complete', 'completed', 'shipped', 'authorized', 'received', 'credit_owed'],
    ...['completed', 'returned', 'paid'],
  ],
  'repeating-safely': ['one order'],
  'two-factor-sign-in': ['true', expect.stringMatching(/^x-error-code: two_factor_required$/i), 'kim-', '9'],
  'erp-in-step': ['0 new orders', '0 failed', '0 failed'],
  'events-and-webhooks': ['webhook.test', 'pending', 'another secret', 'stock.changed', '1'],
  'moving-in': ['1 failed, 1 done', '3 total is 10.0 by the rows', '0 failed, 2 done', '24.9'],
  'languages-of-search': ['german', 'english', 'true', 'true'],
  'behind-a-cdn': [expect.stringMatching(/^x-store-token$/i), '304'],
  'going-live': ['ready', '$'],
  compatibility: ['1'],
};

/** What each guide prints with the typed client. */
const LOGGED: Record<string, unknown[]> = {
  'build-a-storefront': [
    'Categories / Kitchen / Drinkware',
    'true true',
    'true',
    'true',
    'true',
    'true',
    '200 null',
    '0',
  ],
  'guest-checkout': ['complete balance_due'],
  'declined-card': ['payment_declined', 'complete'],
  'take-real-payments': ['payment_action_required'],
  'sign-in-with-a-cart': ['true'],
  coupons: [expect.stringMatching(/^coupon_code_applied -\$\d+\.\d\d$/)],
  returns: ['1'],
  'repeating-safely': ['1'],
  'two-factor-sign-in': ['two_factor_required', 'true'],
  'erp-in-step': ['true 21.0'],
  'events-and-webhooks': ['received stock.changed', '204 204 401', 'webhook.test pending', 'true', '204'],
  'moving-in': ['20.0 3.19 shipped'],
  'languages-of-search': ['english', 'true'],
  'behind-a-cdn': ['true'],
  'going-live': ['$'],
  compatibility: ['200'],
};

/** Runs imports, as a job of a running store does. */
async function importUntil(isDone: () => boolean, deps: Parameters<typeof runImports>[0]): Promise<void> {
  while (!isDone()) {
    await runImports(deps);
    await wait(100);
  }
}

describe('the guides', () => {
  let db: Knex;
  let store: Listening;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let isOver = false;
  let importing: Promise<void>;

  beforeAll(async () => {
    const types = [path.join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'scripts/client-types.ts'];
    expect(spawnSync(process.execPath, types, { cwd: ROOT }).status).toBe(0);
    folder = mkdtempSync(path.join(os.tmpdir(), 'store-guides-'));
    db = await createDemoDatabase();
    const { app, deps } = makeTestApp({ db, storage: testStorage() });
    store = await listen(app);
    importing = importUntil(() => isOver, deps);
    env = { PATH: process.env.PATH, STORE: store.url, ADMIN_TOKEN: (await anAdmin(db)).token };
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    isOver = true;
    await importing;
    await expectNoViolations(undefined, db);
    await store.close();
    await closeDatabase(db);
  });

  testWithTools.each(
    namesOf('sh').flatMap((name) => [
      [name, 'a fresh shell'],
      [name, 'the shell of the tour'],
    ]),
  )('%s works as written in %s', async (name, shell) => {
    const script = path.join(folder, `${name}.sh`);
    const isTour = shell !== 'a fresh shell';
    writeFileSync(script, `${isTour ? TOUR : ''}\n${codeOf(textOf(name), 'sh')}`);
    // Without STORE, the store on port 3000 is meant; the test has another.
    const { stdout } = await run('bash', ['-euo', 'pipefail', script], { cwd: folder, env });
    const lines = stdout.replaceAll('\r', '').trim().split('\n');
    expect(lines.slice(-(PRINTED[name]?.length ?? 0))).toEqual(PRINTED[name]);
  });

  test.each(namesOf('ts'))('%s works as written with the typed client', async (name) => {
    const source = path.join(folder, `${name}.mts`);
    writeFileSync(source, codeOf(textOf(name), 'ts'));
    const alias = {
      'store-api-client': path.join(ROOT, 'client/src/index.ts'),
      standardwebhooks: path.join(ROOT, 'node_modules/standardwebhooks'),
      otpauth: path.join(ROOT, 'node_modules/otpauth/dist/otpauth.node.mjs'),
    };
    const outfile = path.join(folder, `${name}.mjs`);
    await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node', alias });
    const { stdout } = await run(process.execPath, [outfile], { env });
    expect(stdout.trim().split('\n')).toEqual(LOGGED[name]);
  });

  test('have code that compiles against the types of the client', () => {
    const names = namesOf('ts');
    for (const name of names) writeFileSync(path.join(folder, `${name}.mts`), codeOf(textOf(name), 'ts'));
    const paths = {
      'store-api-client': [path.join(ROOT, 'client/src/index.ts')],
      standardwebhooks: [path.join(ROOT, 'node_modules/standardwebhooks/dist/index.d.ts')],
      otpauth: [path.join(ROOT, 'node_modules/otpauth/dist/otpauth.d.ts')],
    };
    const config = {
      extends: path.join(ROOT, 'client/tsconfig.json'),
      compilerOptions: {
        paths,
        rootDir: '/',
        types: ['node'],
        noEmit: true,
        lib: ['es2022', 'dom', 'dom.iterable'],
        typeRoots: [path.join(ROOT, 'node_modules/@types')],
      },
      include: names.map((name) => `${name}.mts`),
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});
