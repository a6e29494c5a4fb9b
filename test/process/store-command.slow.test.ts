import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded';
import { runStoreProgram } from '../support/command-line';

const DATA_DIR = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'store-command-')));
const settings = { DATA_DIR, PORT: '0' };

afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

/** Returns whether PostgreSQL runs in the folder; it removes its pid file when it stops. */
const isRunning = () => existsSync(path.join(DATA_DIR, 'postgres', 'postmaster.pid'));

async function json(argv: readonly string[], stdin = '') {
  const { code, stdout, stderr } = await runStoreProgram([...argv, '--json'], settings, stdin);
  expect({ argv, code, stderr }).toEqual({ argv, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('the commands manage an embedded database, with and without a running store', async () => {
  const made = await json(['migrate']);
  expect(made.direction).toBe('up');
  expect(isRunning()).toBe(false);

  const log = pino({ level: 'error' });
  const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, log, fast: true });
  try {
    const user = await json(['user', 'create', 'ann@example.com', '--password-stdin'], 'correct horse\n');
    expect(user).toMatchObject({ roles: ['customer'], password: null });
    const { findings } = await json(['doctor']);
    expect(findings).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/embedded, in use by a running store$/) }),
    );

    const down = await runStoreProgram(['migrate', '--down'], settings);
    expect(down).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^DATA_DIR \S+ is in use by another process \(\d+\): stop that process/),
    });
    expect(isRunning()).toBe(true);
  } finally {
    await postgres.stop();
  }

  expect((await json(['token', 'list', 'ann@example.com'])).tokens).toHaveLength(1);
  expect(isRunning()).toBe(false);
});

test('a usage error is exit code 2, with no output on stdout', async () => {
  expect(await runStoreProgram(['verify', '--fix'], settings)).toEqual({
    code: 2,
    stdout: '',
    stderr: "error: unknown option '--fix'\nRun with --help for usage.\n",
  });
});

test('the scripts of package.json run the same commands', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8'));
  expect(scripts).toMatchObject({
    store: 'node bin/store.js',
    migrate: `${scripts.store} migrate`,
    'migrate:down': `${scripts.store} migrate --down`,
    seed: `${scripts.store} seed`,
    verify: `${scripts.store} verify`,
  });
});
