import { createServer } from 'node:http';
import express from 'express';
import request from 'supertest';
import { createMessageClasses, useMessageClasses } from '../../../src/platform/http/message-classes';

test('requests and responses have the prototypes that Express sets from the beginning', async () => {
  const app = express();
  app.get('/', (incoming, response) => {
    response.vary('X-Test').json({ query: incoming.query, app: incoming.app === app });
  });
  const classes = createMessageClasses();
  const server = createServer(classes);
  useMessageClasses(app, classes);
  const before: unknown[] = [];
  server.on('request', (incoming, response) => {
    before.push(Object.getPrototypeOf(incoming), Object.getPrototypeOf(response));
    app(incoming, response);
  });
  const reply = await request(server).get('/?a=1');
  expect(reply.body).toEqual({ query: { a: '1' }, app: true });
  expect(reply.headers['vary']).toBe('X-Test');
  expect(before[0]).toBe(app.request);
  expect(before[1]).toBe(app.response);
});
