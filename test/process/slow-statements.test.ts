import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { queryPrepared } from '../../src/platform/database/prepared';
import { withTransaction } from '../../src/platform/database/transaction';
import { ensureTestDatabase } from '../support/database';

const SECRET = '4111111111111111';
const sql = (name: string) => `SELECT pg_sleep(0.03), '${name}' AS name, ?::text AS bound`;

/** Runs slow statements by each way of sending them. @returns the lines of the log */
async function logStatements(slowStatementMs: number): Promise<any[]> {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const url = await ensureTestDatabase();
  const db = connectDatabase({ url, poolSize: 1, log, slowStatementMs });
  await db.raw(sql('raw'), [SECRET]);
  await queryPrepared(db, { name: 'slow', sql: sql('prepared').replace('?', '$1') }, [SECRET]);
  await withTransaction({ db }, async (tx) => {
    await tx.raw(sql('transaction'), [SECRET]);
  });
  await expect(db.raw(`${sql('failed')}, 1 / 0`, [SECRET])).rejects.toThrow('division by zero');
  await db.raw('SELECT 1');
  await closeDatabase(db);
  return lines.map((line) => JSON.parse(line));
}

test('slow statements are logged with their text and without their values', async () => {
  const lines = await logStatements(20);

  const found = lines.filter(({ msg }) => msg === 'slow statement');
  const named = found.map(({ statement }) => /'(\w+)' AS name/.exec(statement)?.[1]);
  expect(named).toEqual(expect.arrayContaining(['raw', 'prepared', 'transaction']));
  for (const { duration_ms, statement } of found) {
    expect(duration_ms).toBeGreaterThanOrEqual(20);
    // On a busy machine, the one without a value can be slow, too.
    expect(statement).toMatch(/\$1|^SELECT 1$/);
  }
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('faster ones are not logged, and none are with 0', async () => {
  expect(await logStatements(60_000)).toEqual([]);
  expect(await logStatements(0)).toEqual([]);
});
