import type { Request } from 'express';
import { CREDENTIALS } from '../../../src/access/credentials';
import { createTurn, type Turns } from '../../../src/platform/http/request-turn';

/** What is asked of the turns of a client who has, or has not, used much. */
function aClient({ isExhausted = false }) {
  const calls: string[] = [];
  const turns: Turns = {
    take: () => {
      calls.push('take');
      return Promise.resolve(() => calls.push('end'));
    },
    isExhausted: () => isExhausted,
    spend: (_address, cost) => calls.push(`spend ${cost}`),
  };
  const send = (headers: Record<string, string>, originalUrl = '/products') =>
    // What the turn reads of a request.
    createTurn({ ip: '10.0.0.1', headers, originalUrl, socket: { destroyed: false } } as unknown as Request, {
      turns,
      credentials: CREDENTIALS,
    });
  return { calls, send };
}

const token = { 'x-store-token': 'a token' };

test.each<[string, boolean, Record<string, string>, string, string[]]>([
  ['without a token takes it', false, {}, '/products?order_token=x', ['take']],
  ['with a token in its header may be that of an admin', false, token, '/products', []],
  ['with a token in its URL may be that of an admin', false, {}, '/products?page=1&token=x', []],
  ['with a token takes it if the client has used much', true, token, '/products', ['take']],
])('early, a request %s', async (_what, isExhausted, headers, url, expected) => {
  const { calls, send } = aClient({ isExhausted });
  await send(headers, url).takeEarly();
  expect(calls).toEqual(expected);
});

test('what a request costs besides is charged at once', async () => {
  const { calls, send } = aClient({});
  const turn = send({});
  turn.identify();
  await turn.takeEarly();
  turn.spend(7);
  turn.end(0);
  expect(calls).toEqual(['take', 'spend 7', 'end']);
});

test('it is taken and ended once, and requests with an invalid token are charged', async () => {
  const { calls, send } = aClient({});
  const known = send({});
  await known.takeEarly();
  known.identify();
  await known.take();
  known.end(1);
  expect(calls.splice(0)).toEqual(['take', 'end']);
  const unknown = send(token);
  await unknown.takeEarly();
  unknown.end(1);
  expect(calls).toEqual(['spend 10']);
});
