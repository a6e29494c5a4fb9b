import { parseArgs } from 'node:util';
import { loadConfig } from '../config';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { joinDatabase } from '../platform/database/open-database';
import { createLogger } from '../platform/logger';
import { reportStartFailure, StartupError } from '../platform/startup-error';
import { findBreaches, INVARIANTS, type Breach } from '../sales/verify/find-breaches';

const USAGE = 'Usage: npm run verify -- [--json]';

/**
 * Checks that stock, orders, money, shipments and history of a store add up: of the one in DATABASE_URL, or of the
 * embedded one in DATA_DIR, running or not. Changes nothing. Exit code 0 when all holds, 1 with a list when not.
 */
async function main(): Promise<void> {
  const { json } = readArguments(process.argv.slice(2));
  const config = loadConfig();
  const log = createLogger({ level: 'warn', format: config.logFormat });
  const database = await joinDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  const db = connectDatabase({ url: database.url, poolSize: 1, log, patience: 'maintenance' });
  try {
    const breaches = await findBreaches(db);
    process.stdout.write(json ? `${JSON.stringify({ breaches }, null, 2)}\n` : describe(breaches));
    if (breaches.length > 0) process.exitCode = 1;
  } finally {
    await closeDatabase(db);
    await database.stop();
  }
}

function readArguments(argv: readonly string[]): { json: boolean } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { json: { type: 'boolean', default: false } },
    });
    return values;
  } catch {
    throw new StartupError(USAGE);
  }
}

function describe(breaches: readonly Breach[]): string {
  if (breaches.length === 0) return `All ${INVARIANTS.length} invariants hold.\n`;
  const sections = breaches.map(({ invariant, rule, table, total, rows }) =>
    [
      `${invariant}: broken by ${total} of ${table}`,
      `  ${rule}.`,
      ...rows.map(({ id, detail }) => `  - ${id}: ${detail}`),
      ...(total > rows.length ? [`  - and ${total - rows.length} more`] : []),
    ].join('\n'),
  );
  return `${sections.join('\n\n')}\n\n${breaches.length} of ${INVARIANTS.length} invariants do not hold.\n`;
}

main().catch(reportStartFailure);
