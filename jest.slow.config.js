const base = require('./jest.config.js');

// The random tests run this long, unless the environment says how long.
process.env.SHOP_RUNS ??= '8';
process.env.FUZZ_REQUESTS ??= '1500';

/**
 * Tests that start the program, draw the demo store, fill large tables or run long at random.
 * @type {import('jest').Config}
 */
module.exports = {
  ...base,
  testMatch: ['**/*.slow.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
