/** Compiles the program if necessary and runs one of its entry points in this process. */
const path = require('node:path');
const { build, isBuilt } = require('./build');

/** Runs an entry point. @param entry path inside dist/, without .js */
function run(entry) {
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
  require(path.join(__dirname, '..', 'dist', `${entry}.js`));
}

module.exports = { run };
