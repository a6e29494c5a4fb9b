import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { withTransaction } from '../../../src/platform/database/transaction';
import { createQueuePool } from '../../../src/platform/queue/queue-pool';
import { testApp } from '../../support/api';
import { ensureTestDatabase } from '../../support/database';

/** Defaults of a server, database or role that other programs need. */
const DEFAULTS = [
  'datestyle=SQL,DMY',
  'timezone=Europe/Paris',
  'bytea_output=escape',
  'default_transaction_isolation=serializable',
];

async function buildUrl(): Promise<string> {
  const url = new URL(await ensureTestDatabase());
  url.searchParams.set('options', DEFAULTS.map((setting) => `-c ${setting}`).join(' '));
  return String(url);
}

const FORMS = `
  SELECT ?::timestamptz AS time, to_json(?::timestamptz) AS in_json, '\\xff00'::bytea::text AS bytes,
         current_setting('transaction_isolation') AS isolation`;

afterEach(() => jest.restoreAllMocks());

test('values and transactions do not depend on the defaults of the database, nor on the time zone of the process', async () => {
  const db = connectDatabase({ url: await buildUrl(), poolSize: 1, log: testApp().deps.log });
  // Before there were time zones: 3 hours, 6 minutes and 28 seconds behind.
  jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(186);
  try {
    const time = new Date('1900-01-05T00:00:00Z');
    const expected = {
      time,
      in_json: '1900-01-05T00:00:00+00:00',
      bytes: '\\xff00',
      isolation: 'read committed',
    };
    expect((await db.raw(FORMS, [time, time])).rows).toEqual([expected]);
    expect((await withTransaction({ db }, (tx) => tx.raw(FORMS, [time, time]))).rows).toEqual([expected]);
  } finally {
    await closeDatabase(db);
  }
});

test('nor do the sessions of the queue', async () => {
  const pool = createQueuePool(await buildUrl(), 1);
  try {
    const { rows } = await pool.query(
      `SELECT 'epoch'::timestamptz AS time, current_setting('transaction_isolation') AS isolation`,
    );
    expect(rows).toEqual([{ time: new Date(0), isolation: 'read committed' }]);
  } finally {
    await pool.end();
  }
});
