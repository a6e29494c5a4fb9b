/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/setup/environment.ts',
  runtime: '<rootDir>/test/setup/runtime.js',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // `npm run test:slow` runs these.
  testPathIgnorePatterns: ['/node_modules/', '\\.slow\\.test\\.ts$'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  // Use the client's source, because the build that its package.json refers to may not exist.
  moduleNameMapper: { '^store-api-client$': '<rootDir>/client/src/index.ts' },
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/setup/each-file.ts'],
  // On two cores, one waits for PostgreSQL or for a time limit.
  maxWorkers: 2,
  randomize: true,
  // Long enough for a machine that runs other things at the same time: it ends tests that hang.
  testTimeout: 120_000,
};
