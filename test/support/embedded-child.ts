/**
 * Started by embedded.slow.test.ts as a separate process and killed there: runs the embedded database of a
 * folder.
 */
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded';

void startEmbeddedPostgres({
  dataDir: process.argv[2] ?? '',
  log: pino({ level: 'silent' }),
  fast: true,
}).then(({ url }) => process.stdout.write(`${url}\n`));
setInterval(() => undefined, 60_000);
