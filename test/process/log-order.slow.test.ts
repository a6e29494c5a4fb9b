import { execFile, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const SOURCES = path.join(__dirname, '../../src/platform');

/** Logs while the threads that write files are busy, and ends. */
const PROGRAM = `
  const { pbkdf2 } = require('node:crypto');
  const { createLifecycle } = require(${JSON.stringify(path.join(SOURCES, 'lifecycle'))});
  const { createLogger } = require(${JSON.stringify(path.join(SOURCES, 'logger'))});
  const log = createLogger({ level: 'info', format: 'json' });
  for (let thread = 0; thread < 4; thread++) pbkdf2('a', 'b', 60_000, 64, 'sha512', () => undefined);
  log.info('first');
  log.info('second');
  void createLifecycle(log).stop(0);
`;

test('the lines of a log are written in their order before the process ends', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--require', 'tsx/cjs', '--eval', PROGRAM]);
  const messages = stdout
    .trim()
    .split('\n')
    .map((line): unknown => (JSON.parse(line) as { msg: unknown }).msg);
  expect(messages).toEqual(['first', 'second', 'stopped']);
});

/** Every write to it fails as on a full disk. Only Linux has it, so the test is skipped elsewhere. */
const FULL = '/dev/full';

const PERSISTENT = `
  const { createLifecycle } = require(${JSON.stringify(path.join(SOURCES, 'lifecycle'))});
  const { createLogger } = require(${JSON.stringify(path.join(SOURCES, 'logger'))});
  const log = createLogger({ level: 'info', format: process.argv[1] });
  const lifecycle = createLifecycle(log);
  log.info('first');
  setTimeout(() => {
    log.info('second');
    console.error(lifecycle.isRunning() ? 'running' : 'stopping');
    void lifecycle.stop(0);
  }, 300);
`;

(existsSync(FULL) ? test : test.skip).each(['json', 'pretty'])(
  'a full disk of the %s log neither ends the program nor keeps it from ending',
  (format) => {
    const full = openSync(FULL, 'w');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--require', 'tsx/cjs', '--eval', PERSISTENT, format],
      { stdio: ['ignore', full, 'pipe'], encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' },
    );
    closeSync(full);
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'running\n' });
  },
);
