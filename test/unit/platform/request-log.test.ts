import { Writable } from 'node:stream';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import express, { Router } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { getTraceFields, parseTraceparent } from '../../../src/platform/trace';
import { nameRoute, logRequests } from '../../../src/platform/http/request-log';

function build() {
  const lines: Record<string, unknown>[] = [];
  let wake = () => undefined as void;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      wake();
      done();
    },
  });
  const app = express();
  const log = pino({ base: null, level: 'debug', mixin: getTraceFields }, sink);
  app.use(logRequests(log));
  const router = Router();
  router.get('/things/:id', (_request, response) => response.json({}));
  router.get('/broken/:id', (req, response, next) => {
    nameRoute(response, `${req.baseUrl}/broken/:id`);
    next(new Error('no'));
  });
  router.get('/refused', (_request, response) =>
    response.status(401).set('X-Error-Code', 'not_authorized').json({}),
  );
  router.get('/logged', async (_request, response) => {
    await turnOfLoop();
    log.info('inside');
    response.json({});
  });
  app.use('/api/v1', router);
  app.use(
    (_error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
      response.status(500).json({}),
  );
  /** The line is written shortly after the client has received the reply. */
  const line = async (): Promise<Record<string, unknown>> => {
    if (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return lines.shift() ?? {};
  };
  return { app, line, lines };
}

test('logs one line for each request: id, method, route pattern, status and duration; no URL, headers or body', async () => {
  const { app, line, lines } = build();
  const reply = await request(app)
    .get('/api/v1/things/4111111111111111?token=secret-1')
    .set('X-Store-Token', 'secret-2')
    .send({ password: 'secret-3' });

  const written = await line();
  expect(written).toEqual({
    level: 30,
    time: expect.any(Number),
    request_id: reply.headers['x-request-id'],
    method: 'GET',
    route: '/api/v1/things/:id',
    status: 200,
    duration_ms: expect.any(Number),
    msg: 'request',
  });
  expect(JSON.stringify(written)).not.toMatch(/secret|4111/);
  expect(lines).toEqual([]);
});

test('a refusal is logged with the code of its error', async () => {
  const { app, line } = build();
  await request(app).get('/api/v1/refused');
  expect(await line()).toMatchObject({ status: 401, error_code: 'not_authorized' });
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('every line of a request has the trace id of its traceparent, and no other line has', async () => {
  const { app, lines, line } = build();
  await request(app).get('/api/v1/logged').set('traceparent', `00-${TRACE}-${SPAN}-01`);
  expect([await line(), await line()]).toEqual([
    expect.objectContaining({ msg: 'inside', trace_id: TRACE }),
    expect.objectContaining({ msg: 'request', trace_id: TRACE }),
  ]);
  await request(app).get('/api/v1/logged');
  for (const written of [await line(), await line()]) expect(written).not.toHaveProperty('trace_id');
  expect(lines).toEqual([]);
});

test.each([
  [`00-${TRACE}-${SPAN}-00`, TRACE],
  [`01-${TRACE}-${SPAN}-01-more`, TRACE],
  [`ff-${TRACE}-${SPAN}-01`, null],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, null],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, null],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, null],
  [`00-${TRACE}\n-${SPAN}-01`, null],
  ['', null],
  [undefined, null],
])('the trace id of %p is %p', (header, id) => {
  expect(parseTraceparent(header)?.traceId ?? null).toBe(id);
});

test('logs a failed route with its mount path, at warn', async () => {
  const { app, line } = build();
  await request(app).get('/api/v1/broken/7');

  expect(await line()).toMatchObject({ level: 40, route: '/api/v1/broken/:id', status: 500 });
});

test('does not log the path of an unknown route', async () => {
  const { app, line } = build();
  await request(app).get('/secret-path');

  expect(await line()).toMatchObject({ route: '-', status: 404 });
});

test('returns the X-Request-Id of the request if it is a plain word', async () => {
  const { app, line } = build();
  const reply = await request(app).get('/api/v1/things/1').set('X-Request-Id', 'order-7.a_B');

  expect(reply.headers['x-request-id']).toBe('order-7.a_B');
  expect(await line()).toMatchObject({ request_id: 'order-7.a_B' });
});

test.each(['two words', 'a'.repeat(65), '', '<script>', 'ümlaut'])(
  'X-Request-Id %j is replaced',
  async (id) => {
    const { app } = build();
    const reply = await request(app)
      .get('/api/v1/things/1')
      .set('X-Request-Id', Buffer.from(id).toString('latin1'));

    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  },
);
