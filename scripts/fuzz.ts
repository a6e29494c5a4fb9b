/**
 * Sends random requests to a store (`npm run fuzz`): the test test/property/fuzz.slow.test.ts with more requests and a limit
 * of the wait for a reply or its next part. The exit code is that of the test.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = 'npm run fuzz -- [--requests N] [--seed N]   (default 20000, random)';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
if (![values.requests, values.seed].every((text) => /^\d{1,9}$|^[12]\d{9}$/.test(text))) {
  process.stderr.write(`Usage: ${USAGE}\n`);
  process.exit(2);
}
const root = path.resolve(__dirname, '..');
const { status } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--config', 'jest.slow.config.js', 'test/property/fuzz'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_REQUESTS: values.requests,
      FUZZ_SEED: values.seed,
      FUZZ_LONGEST_MS: '2000',
    },
  },
);
process.exit(status ?? 1);
