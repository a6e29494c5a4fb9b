import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** Tables that the platform itself writes. */
const OWN = /^(knex_migrations|idempotency_|rate_limits|queue_|job_runs)/;

/** The code of the platform without comments. */
const sources = readdirSync(path.join(ROOT, 'src/platform'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({
    name,
    code: readFileSync(path.join(ROOT, 'src/platform', name), 'utf8').replaceAll(
      /\/\*[\s\S]*?\*\/|\/\/.*$/gm,
      '',
    ),
  }));

test('the platform names no table of the shop', () => {
  const schema = readFileSync(path.join(ROOT, 'migrations/schema.sql'), 'utf8');
  const tables = [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !OWN.test(name));
  expect(tables.length).toBeGreaterThan(70);
  const named = new RegExp(
    `\\b(?:FROM|INTO|UPDATE|JOIN|TABLE|regclass\\() ?(${tables.join('|')})\\b|\\(['"\`](${tables.join('|')})['"\`]\\)`,
  );
  expect(sources.filter(({ code }) => named.test(code)).map(({ name }) => name)).toEqual([]);
});

test('the platform names no credentials of the shop', () => {
  const named = /x-(store|order)-token|['"`](order_)?token['"`]/i;
  expect(sources.filter(({ code }) => named.test(code)).map(({ name }) => name)).toEqual([]);
});
