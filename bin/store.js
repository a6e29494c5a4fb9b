/** Runs the command line of the store (`npm run store`). */
require('./run').run('src/cli/store');
