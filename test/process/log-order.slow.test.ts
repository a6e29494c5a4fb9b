import { execFile } from 'node:child_process';
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
