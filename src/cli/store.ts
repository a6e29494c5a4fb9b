import { runStore } from './run-store';

// Leaves through `exit`, which stops an embedded database that was started here.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const { env, stdin, stdout, stderr } = process;

/** `npm run store`; what it can do is in `run-store.ts`. */
void runStore(process.argv.slice(2), { env, stdin, stdout, stderr }).then((code) => {
  process.exitCode = code;
});
