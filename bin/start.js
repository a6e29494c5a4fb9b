/** Runs the store (`npm start`) in this process, so that it receives the signals that npm forwards. */
require('./run').run('src/main');
