/**
 * What `npm start` runs: compiles the program if it is not, or its sources have changed, and runs it in this very
 * process, which therefore gets the signals npm passes on.
 */
const path = require('node:path');
const { build, isBuilt } = require('./build');

try {
  if (!isBuilt()) {
    process.stderr.write('Compiling (once) ...\n');
    build();
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

process.setSourceMapsEnabled(true);
require(path.join(__dirname, '..', 'dist', 'src', 'main.js'));
