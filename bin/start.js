/** Runs the store (`npm start`) in this process, so that it receives the signals that npm forwards. */
// Libraries then leave out what only helps during development, such as stack traces in replies.
process.env.NODE_ENV ||= 'production';
require('./run').run('src/main');
