import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { logRequests } from '../../../src/platform/http/request-log';
import { startTracing } from '../../../src/platform/tracing';
import { ensureTestDatabase } from '../../support/database';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const log = pino({ level: 'silent' });

/** Starts a collector that keeps the spans it receives. */
async function listen() {
  const resources: any[] = [];
  const server = createServer((incoming, reply) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.once('end', () => {
      resources.push(...JSON.parse(text).resourceSpans);
      reply.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const stop = () =>
    new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve())));
  return { endpoint: `http://127.0.0.1:${port}`, resources, stop };
}

test('requests and their statements are spans of the trace of the caller, without values', async () => {
  const collector = await listen();
  const stop = await startTracing({
    endpoint: `${collector.endpoint}/`,
    version: '1.2.3',
    instance: 'web-1',
  });
  const db = connectDatabase({ url: await ensureTestDatabase(), poolSize: 1, log });
  const app = express();
  app.use(logRequests(log));
  app.get('/things/:id', async (_request, response) => {
    await db.raw('SELECT ?::text AS secret', ['hidden-value']);
    response.json({});
  });
  await request(app).get('/things/7?token=hidden-token').set('traceparent', `00-${TRACE}-${SPAN}-01`);
  await db.raw('SELECT 1');
  await closeDatabase(db);
  await stop();
  await collector.stop();

  const spans = collector.resources.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap((scope: any) => scope.spans),
  );
  const server = spans.find(({ kind }) => kind === 2);
  expect(server).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, name: 'GET /things/:id' });
  expect(server.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
  const statements = spans.filter(({ kind }) => kind === 3);
  expect(statements).toMatchObject([{ traceId: TRACE, parentSpanId: server.spanId, name: 'SELECT' }]);
  expect(JSON.stringify(collector.resources)).not.toMatch(/hidden/);
  expect(collector.resources[0].resource.attributes).toContainEqual({
    key: 'service.version',
    value: { stringValue: '1.2.3' },
  });
});
