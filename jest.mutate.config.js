const base = require('./jest.config.js');

/**
 * Runs tests with mutants; see scripts/mutate.ts, which starts the test server and names the test files.
 * @type {import('jest').Config}
 */
module.exports = {
  ...base,
  testEnvironment: '<rootDir>/scripts/mutation/environment.ts',
  // Each file loads the mutants anew, because the recording notes what loading reaches.
  runtime: undefined,
  transform: { '^.+\\.ts$': '<rootDir>/scripts/mutation/transform.ts' },
  globalSetup: undefined,
  globalTeardown: undefined,
  setupFilesAfterEnv: ['<rootDir>/scripts/mutation/in-test.ts', ...base.setupFilesAfterEnv],
  randomize: false,
};
