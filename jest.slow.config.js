const base = require('./jest.config.js');

// The random tests run this long, unless the environment says how long.
process.env.SHOP_RUNS ??= '25';
process.env.FUZZ_REQUESTS ??= '2000';

/**
 * Tests that start the program, draw the demo store, fill large tables or run long at random.
 * @type {import('jest').Config}
 */
module.exports = {
  ...base,
  testMatch: ['**/*.slow.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600_000,
  testSequencer: '<rootDir>/test/setup/slow-sequencer.js',
};
