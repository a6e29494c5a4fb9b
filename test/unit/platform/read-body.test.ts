import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { readBody, type IsStaff } from '../../../src/platform/http/read-body';
import { createUnfinishedBodies } from '../../../src/platform/http/unfinished-bodies';
import { createSlots } from '../../../src/platform/slots';

const LARGE = 'x'.repeat(100_000);

afterEach(() => jest.useRealTimers());

/** Returns readers that share one turn. */
function createReader() {
  const bodies = createUnfinishedBodies(1024 * 1024);
  const turns = createSlots({ concurrency: 1, waiting: 10 });
  return (request: Request, isStaff: IsStaff = () => Promise.resolve(false)) =>
    readBody(request, { bodies, isStaff, turns });
}

/** Returns a request whose body is written by the test. */
function aRequest(): PassThrough & Request {
  const stream = new PassThrough();
  const headers = { 'transfer-encoding': 'chunked' };
  const request = Object.assign(stream, { method: 'POST', headers, header: () => undefined, complete: true });
  // Only these members of a request are used.
  return request as unknown as PassThrough & Request;
}

const flush = () => new Promise((resolve) => setImmediate(resolve));

test('large bodies of shoppers are read one at a time; small ones and those of staff do not wait', async () => {
  const read = createReader();
  const ended: string[] = [];
  const [first, second, small, staff] = [aRequest(), aRequest(), aRequest(), aRequest()];
  const reading = [
    read(first).then(() => ended.push('first')),
    read(second).then(() => ended.push('second')),
    read(small).then(() => ended.push('small')),
    read(staff, () => Promise.resolve(true)).then(() => ended.push('staff')),
  ];
  first.write(LARGE);
  await flush();
  second.end(LARGE);
  await flush();
  small.end('{}');
  await reading[2];
  staff.end(LARGE);
  await reading[3];
  first.end();
  await Promise.all(reading);
  expect(ended).toEqual(['small', 'staff', 'first', 'second']);
});

test('a turn leaves time to other requests, the more the larger the body is', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  const read = createReader();
  const [first, second] = [aRequest(), aRequest()];
  let isRead = false;
  const [reading, next] = [read(first), read(second).then(() => (isRead = true))];
  await flush();
  first.end('x'.repeat(800_000));
  await reading;
  second.end(LARGE);
  await flush();
  jest.advanceTimersByTime(40);
  await flush();
  expect(isRead).toBe(false);
  jest.advanceTimersByTime(20);
  await next;
});

test('a slow sender loses its turn', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  const read = createReader();
  const [slow, other] = [aRequest(), aRequest()];
  const text = read(slow);
  slow.write(LARGE);
  await flush();
  const next = read(other);
  other.end(LARGE);
  await flush();
  await jest.advanceTimersByTimeAsync(2_100);
  expect(await next).toBe(LARGE);
  slow.end();
  expect(await text).toBe(LARGE);
});
