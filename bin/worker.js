/** Works apart from the servers (`npm run worker`), in this process, so that it receives the signals that npm forwards. */
process.env.NODE_ENV ||= 'production';
require('./run').run('src/worker');
