import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../src/config';
import { EnvironmentSchema } from '../../src/environment';

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

describe('the tour', () => {
  const script = read('docs/tour.sh').split('# --- tour ---\n')[1]?.trim();

  test('in the README matches the script', () => {
    const blocks = sectionOf(readme, 'A tour in five minutes').matchAll(/^```sh\n(.*?)\n```$/gms);
    expect([...blocks].map(([, commands]) => commands).join('\n\n')).toBe(script);
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
      Object.entries(unset).filter(
        ([, value]) => !/^(embedded|generated|none|demo,.*|true with.*)$/.test(value),
      ),
    );
    expect(loadConfig(fixed)).toEqual(loadConfig({}));
    expect(Object.keys(fixed)).toHaveLength(21);
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
    const parts = ['lint', 'types', 'tsc']; // of `check`
    expect(Object.keys(scripts).filter((name) => !parts.includes(name) && !isDescribed(name))).toEqual([]);
  });

  test.each([...documents, 'CHANGELOG.md', 'docs/checkout.md', 'docs/performance.md', 'docs/scaling.md'])(
    '%s links to files that exist',
    (file) => {
      const folder = path.dirname(path.join(ROOT, file));
      const links = [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target ?? '');
      expect(links.filter((target) => !existsSync(path.join(folder, target)))).toEqual([]);
    },
  );

  test('docs/checkout.md names files of src', () => {
    const files = new Set(
      readdirSync(path.join(ROOT, 'src'), { recursive: true }).map((file) => path.basename(String(file))),
    );
    const named = read('docs/checkout.md').match(/[\w-]+(?:\.[\w-]+)*\.ts\b/g) ?? [];
    expect(named.filter((name) => !files.has(name))).toEqual([]);
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
