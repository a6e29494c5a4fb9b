import { readMigration, run } from '../../../src/platform/database/migrations/steps';

const up = run('SELECT 1');
const NAME = '20261129_0100_document_digests';

test('a migration has the name of its file', () => {
  expect(readMigration(NAME, { up, down: up })).toEqual({ name: NAME, up, down: up });
});

test.each([[{ up }], [{ down: up }], [{ up, down: up, default: up }], [{}]])(
  'a file that exports %j is refused',
  (exported) => {
    expect(() => readMigration(NAME, exported)).toThrow(`migration ${NAME} must export up and down`);
  },
);

test.each(['20261129_document_digests', '2026_0100_digests', '20261129_0100', '20261129_0100_Digests'])(
  'a file named %s is refused',
  (name) => {
    expect(() => readMigration(name, { up, down: up })).toThrow(`migration ${name} must be named`);
  },
);
