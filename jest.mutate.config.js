const base = require('./jest.config.js');

/**
 * Runs tests with mutants; see scripts/mutate.ts, which starts the test server and names the test files.
 * @type {import('jest').Config}
 */
module.exports = {
  ...base,
  testEnvironment: '<rootDir>/scripts/mutation/environment.ts',
  transform: { '^.+\\.ts$': '<rootDir>/scripts/mutation/transform.ts' },
  // mutate.ts names the test files, slow ones among them.
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: undefined,
  globalTeardown: undefined,
  randomize: false,
};
