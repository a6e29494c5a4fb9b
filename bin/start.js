/** What `npm start` runs: the store in this very process, which therefore gets the signals npm passes on. */
require('./run').run('src/main');
