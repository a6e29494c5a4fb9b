import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { EnvironmentSchema, loadConfig } from '../../src/config';
import { closeDatabase } from '../../src/platform/database/knex';
import { anAdmin } from '../support/accounts.factory';
import { makeTestApp } from '../support/api';
import { createDemoDatabase } from '../support/demo-shop';
import { testStorage } from '../support/storage';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const readme = read('README.md');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** Returns the text between a heading and the next one of its level. */
function sectionOf(markdown: string, heading: string): string {
  const [, section] = markdown.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`the README has no section "${heading}"`);
  return section.split('\n## ')[0] ?? '';
}

const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
const testWithTools = missing.length === 0 ? test : test.skip;

describe('the tour', () => {
  const script = read('docs/tour.sh').split('# --- tour ---\n')[1]?.trim();

  test('in the README matches the script', () => {
    const blocks = sectionOf(readme, 'A tour in five minutes').matchAll(/^```sh\n(.*?)\n```$/gms);
    expect([...blocks].map(([, commands]) => commands).join('\n\n')).toBe(script);
  });

  describe('executed', () => {
    let db: Knex;
    let server: Server;

    beforeAll(async () => {
      db = await createDemoDatabase();
      const app = makeTestApp({ db, storage: testStorage() });
      server = createServer(app.app);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }, 90_000);

    afterAll(async () => {
      await new Promise((resolve) => server.close(resolve));
      await closeDatabase(db);
    });

    testWithTools(
      `from browsing to the refund${missing.length === 0 ? '' : ` (skipped: no ${missing.join(', no ')} here)`}`,
      async () => {
        const { port } = server.address() as AddressInfo; // listens on TCP, so it is no pipe's name
        const { stdout } = await promisify(execFile)('bash', ['docs/tour.sh'], {
          cwd: ROOT,
          env: {
            PATH: process.env.PATH,
            STORE: `http://127.0.0.1:${port}`,
            ADMIN_TOKEN: (await anAdmin(db)).token,
          },
        });

        expect(stdout).toContain("'Stoneware Mug'");
        expect(stdout).toContain("'Categories'");
        const afterSearch = stdout.slice(stdout.indexOf('/store/products/'));
        expect(afterSearch.replace(/'UPS.*\n/g, '').split('\n')).toEqual(
          expect.arrayContaining([
            '10',
            '$48.00',
            'address',
            'shipped',
            'received',
            '9',
            'credit_owed',
            'paid',
          ]),
        );
        const states = ['confirm', 'complete', 'completed', 'shipped', 'authorized', 'received', '9'];
        expect(afterSearch).toContain([...states, 'credit_owed', 'completed', 'paid'].join('\n'));
        expect(afterSearch).toContain("'order: confirm -> complete (checkout complete)'");
      },
      60_000,
    );
  });
});

describe('the table of settings', () => {
  const rows = [
    ...sectionOf(readme, 'Configuration').matchAll(/^\| `([A-Z_]+)` *\| (.*?) *\| (.*?) *\|/gm),
  ].map(([, name = '', unset = '', must = '']) => ({ name, unset, must }));

  test('has a row for every setting, in the same order', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(EnvironmentSchema.shape));
  });

  test('describes the valid values with the messages of the program', () => {
    const shape: Record<string, { description?: string | undefined }> = EnvironmentSchema.shape;
    const described = rows.map(({ name, must }) => [name, must.replaceAll('\\', '')]);
    expect(described).toEqual(rows.map(({ name }) => [name, shape[name]?.description]));
  });

  test('lists the default values', () => {
    const unset = Object.fromEntries(rows.map(({ name, unset }) => [name, unset.replaceAll(/[`\\]/g, '')]));
    const fixed = Object.fromEntries(
      Object.entries(unset).filter(([, value]) => !/^(embedded|generated|demo,.*)$/.test(value)),
    );
    expect(loadConfig(fixed)).toEqual(loadConfig({}));
    expect(Object.keys(fixed)).toHaveLength(12);
    expect(loadConfig({}).seed).toBe('demo');
    expect(loadConfig({ DATABASE_URL: 'postgres://a@b/c' }).seed).toBe('reference');
  });
});

describe('the other documents', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'];

  test.each(documents)('%s names scripts that exist', (file) => {
    const named = [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('the README describes every script', () => {
    const isDescribed = (name: string): boolean => new RegExp(`npm (run )?${name}\\b`).test(readme);
    const parts = ['lint', 'types']; // of `check`
    expect(Object.keys(scripts).filter((name) => !parts.includes(name) && !isDescribed(name))).toEqual([]);
  });

  test.each([...documents, 'CHANGELOG.md'])('%s links to files that exist', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target ?? '');
    expect(links.filter((target) => !existsSync(path.join(ROOT, target)))).toEqual([]);
  });

  test('the tree in ARCHITECTURE.md matches src/', () => {
    const [, tree = ''] = read('ARCHITECTURE.md').split('```');
    expect(pathsOf(tree).filter((entry) => !existsSync(path.join(ROOT, entry)))).toEqual([]);
    const entries = readdirSync(path.join(ROOT, 'src'));
    expect(entries.filter((entry) => !new RegExp(`\\b${entry}(/|\\s)`).test(tree))).toEqual([]);
  });
});

/** Returns the paths of a tree drawn with two spaces per level. */
function pathsOf(tree: string): string[] {
  const folders: string[] = [];
  return [...tree.matchAll(/^( *)([\w./-]+)/gm)].map(([, indent = '', name = '']) => {
    folders.length = indent.length / 2;
    const found = [...folders, name].join('');
    folders.push(name);
    return found;
  });
}
