import type { RequestListener } from 'node:http';
import { createLocalFetch } from '../../../src/platform/http/local-requests';

const answer: RequestListener = (request, response) => {
  response.setHeader('Content-Type', 'application/json');
  if (request.url === '/none') response.statusCode = 404;
  response.end(
    JSON.stringify({
      url: request.url,
      ip: request.socket.remoteAddress,
      token: request.headers['x-store-token'],
    }),
  );
};

test('the handler sees the request as if it came from the address', async () => {
  const send = createLocalFetch(answer);
  const request = new Request('http://shop.example/api?a=1', { headers: { 'X-Store-Token': 'secret' } });
  const reply = await send(request, '203.0.113.7');
  expect([reply.status, await reply.json()]).toEqual([
    200,
    { url: '/api?a=1', ip: '203.0.113.7', token: 'secret' },
  ]);
});

test('replies of many requests at once are not mixed up', async () => {
  const send = createLocalFetch(answer);
  const urls = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const reply = await send(new Request(`http://shop.example/${index}`), undefined);
      return ((await reply.json()) as { url: string }).url;
    }),
  );
  expect(urls).toEqual(Array.from({ length: 50 }, (_, index) => `/${index}`));
});

test.each([204, 304])('a reply with status %i has no body', async (status) => {
  const send = createLocalFetch((_request, response) => {
    response.statusCode = status;
    response.end();
  });
  const reply = await send(new Request('http://shop.example/'), undefined);
  expect([reply.status, await reply.text()]).toEqual([status, '']);
});

test('a handler that breaks off fails the request', async () => {
  const send = createLocalFetch((request) => request.socket.destroy());
  await expect(send(new Request('http://shop.example/'), undefined)).rejects.toThrow();
});
