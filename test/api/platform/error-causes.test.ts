import { pino } from 'pino';
import request from 'supertest';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { createSlots } from '../../../src/platform/slots';
import { anAdmin } from '../../support/accounts.factory';
import { makeTestApp } from '../../support/api';
import { ensureTestDatabase, testDb } from '../../support/database';
import { testStorage } from '../../support/storage';
import { unique } from '../../support/unique';

afterEach(async () => {
  await testDb().raw(`
    DROP EVENT TRIGGER IF EXISTS disk_is_full;
    DROP TRIGGER IF EXISTS disk_is_full ON zones;
    DROP FUNCTION IF EXISTS fail_on_full_disk();
    DROP FUNCTION IF EXISTS fail_table_on_full_disk();`);
});

interface Line {
  msg: string;
  status?: number;
  cause?: string;
  err?: { message: string; stack?: string };
  request_id?: string;
}

function recordLog() {
  const lines: Line[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

test('a 503 logs what was unavailable, with the id of the request', async () => {
  const { log, lines } = recordLog();
  const db = connectDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 2, log });
  const { app } = makeTestApp({ db, log });
  const reply = await request(app).get('/api/v1/countries').set('X-Request-Id', 'outage-1');
  await closeDatabase(db);
  expect(reply.status).toBe(503);
  const cause = lines.find(({ msg }) => msg === 'request not served');
  expect(cause).toMatchObject({
    request_id: 'outage-1',
    err: { message: expect.stringMatching(/ECONNREFUSED/) },
  });
});

test('a read that waits for a table which a person or a migration has locked is 503', async () => {
  const { log, lines } = recordLog();
  const db = connectDatabase({ url: await ensureTestDatabase(), poolSize: 1, log });
  await db.raw('SET lock_timeout = 50');
  const { app } = makeTestApp({ db, log });
  const reply = await testDb().transaction(async (holder) => {
    await holder.raw('LOCK TABLE countries IN ACCESS EXCLUSIVE MODE');
    return request(app).get('/api/v1/countries');
  });
  await closeDatabase(db);
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
  const cause = lines.find(({ msg }) => msg === 'request not served');
  expect(cause?.err?.message).toMatch(/lock timeout/);
});

test.each([[{}], [{ 'Idempotency-Key': 'a-key-of-a-guest-1' }]])(
  'too many requests at once log how many, with headers %p',
  async (headers) => {
    const { log, lines } = recordLog();
    const { app } = makeTestApp({ log }, { maxInFlight: 0 });
    const reply = await request(app).post('/api/v1/orders').set(headers).send({});
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
    const cause = lines.find(({ msg }) => msg === 'request not served');
    expect(cause?.err?.stack).toContain('0 requests are in progress');
  },
);

test('a pool without a free connection logs that', async () => {
  const { log, lines } = recordLog();
  const db = connectDatabase({ url: await ensureTestDatabase(), poolSize: 1, log });
  const { app } = makeTestApp({ db, log });
  const reply = await db.transaction(async (holder) => {
    await holder.raw('SELECT 1');
    return request(app).get('/api/v1/countries');
  });
  await closeDatabase(db);
  expect(reply.status).toBe(503);
  const cause = lines.find(({ msg }) => msg === 'request not served');
  expect(cause?.err?.message).toMatch(/acquiring a connection/);
});

test('tasks that find no slot say so', async () => {
  const slots = createSlots({ concurrency: 1, waiting: 0 });
  const running = new Promise<void>((resolve) => void setImmediate(resolve));
  const first = slots(() => running);
  await expect(slots(() => running)).rejects.toMatchObject({
    cause: { message: 'all 1 slots for work are taken, and 0 tasks wait' },
  });
  await first;
});

test('a full disk of the database returns 503, the store is unready while it lasts, and heals', async () => {
  const { log, lines } = recordLog();
  const { app } = makeTestApp({ log });
  const { token } = await anAdmin();
  const write = () =>
    request(app)
      .post('/api/v1/zones')
      .set('X-Store-Token', token)
      .send({ zone: { name: unique('Zone') } });
  const isReady = async () => (await request(app).get('/health/ready')).status === 200;
  await testDb().raw(`
    CREATE FUNCTION fail_on_full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE FUNCTION fail_table_on_full_disk() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER disk_is_full BEFORE INSERT ON zones FOR EACH ROW EXECUTE FUNCTION fail_on_full_disk();
    CREATE EVENT TRIGGER disk_is_full ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
      EXECUTE FUNCTION fail_table_on_full_disk();`);
  expect(await isReady()).toBe(true);
  const reply = await write();
  expect([reply.status, reply.headers['x-error-code'], reply.headers['retry-after']]).toEqual([
    503,
    'database_unavailable',
    '1',
  ]);
  const cause = lines.find(({ msg }) => msg === 'request not served');
  expect(cause?.err?.message).toContain('No space left on device');
  expect([await isReady(), await isReady()]).toEqual([false, false]);
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'not ready', cause: 'the disk of the database is full' }),
  );
  expect((await request(app).get('/health/live')).status).toBe(200);
  expect((await request(app).get('/api/v1/zones')).status).toBe(200);

  await testDb().raw('DROP EVENT TRIGGER disk_is_full; DROP TRIGGER disk_is_full ON zones');
  expect([await isReady(), (await write()).status]).toEqual([true, 201]);
  expect(await testDb().raw("SELECT FROM pg_class WHERE relname = 'needs_space'")).toMatchObject({
    rows: [],
  });
});

test('an unready store logs why, and heals', async () => {
  const { log, lines } = recordLog();
  let hasSpace = false;
  const storage = { ...testStorage(), hasSpace: () => Promise.resolve(hasSpace) };
  const { app } = makeTestApp({ log, storage });
  expect((await request(app).get('/health/ready')).status).toBe(503);
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'not ready', cause: 'the disk of uploaded files is full' }),
  );
  expect((await request(app).get('/health/live')).status).toBe(200);
  hasSpace = true;
  expect((await request(app).get('/health/ready')).status).toBe(200);
});
