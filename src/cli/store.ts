import { runStore } from './run-store';

// `exit` stops an embedded database that this process has started.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const { env, stdin, stdout, stderr } = process;

// The entry point of `npm run store`.
void runStore(process.argv.slice(2), { env, stdin, stdout, stderr }).then((code) => {
  process.exitCode = code;
});
