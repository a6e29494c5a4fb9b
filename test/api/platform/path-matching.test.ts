import type { Request, Response } from 'express';
import request from 'supertest';
import { stripSuffix } from '../../../src/platform/http/rewrite';
import { testApp } from '../../support/api';

/** Returns the status of a path, and the names of what the reply has. */
async function read(path: string): Promise<unknown> {
  const reply = await request(testApp().app).get(`/api/v1${path}`);
  return [reply.status, Object.keys(reply.body)];
}

test.each(['/countries/', '/countries//', '/COUNTRIES', '/Countries/'])(
  '%s is the same as /countries',
  async (path) => {
    expect(await read(path)).toEqual(await read('/countries'));
    expect(await read(path)).toEqual([200, expect.arrayContaining(['countries'])]);
  },
);

test.each(['/countries/1/', '/COUNTRIES/1'])('%s is the same as /countries/1', async (path) => {
  expect(await read(path)).toEqual(await read('/countries/1'));
  expect(await read(path)).toEqual([200, expect.arrayContaining(['iso_name'])]);
});

test.each(['/countries//1', '/countries/1/2/3', '//countries'])('%s does not exist', async (path) => {
  expect(await read(path)).toEqual([404, expect.any(Array)]);
});

test('a long run of slashes within a path takes no time', () => {
  const url = `/countries${'/'.repeat(50_000)}x`;
  const started = performance.now();
  stripSuffix({ url } as Request, {} as Response, () => undefined); // it reads only the URL
  expect(performance.now() - started).toBeLessThan(1_000);
});
