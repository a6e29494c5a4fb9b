import { pino } from 'pino';
import request from 'supertest';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { makeTestApp } from '../support/api';
import { testStorage } from '../support/storage';

interface Line {
  msg: string;
  status?: number;
  cause?: string;
  err?: { message: string };
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
