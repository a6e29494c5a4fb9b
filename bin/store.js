/** What `npm run store` runs: the command line of the store. */
require('./run').run('src/cli/store');
