import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

// In a process of its own: the generator loads packages that jest cannot.
test('client/src/schema.ts is what docs/openapi.json tells; if not, run `npm run docs`', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'scripts/client-types.ts', '--check'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
}, 60_000);
