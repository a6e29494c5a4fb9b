import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as tick } from 'node:timers/promises';
import express from 'express';
import { listen, type HttpServer } from '../../../src/platform/http/http-server';
import { createPrefaceReader, getEarlyBody } from '../../../src/platform/http/multipart-preface';
import { createUnfinishedBodies } from '../../../src/platform/http/unfinished-bodies';
import { discardUpload, receiveMultipart } from '../../../src/platform/http/upload';

/** A server that returns the early fields of a body and the fields that it received. */
let server: HttpServer;

/** Fewer bytes than two bodies of 64 KiB take beside their free parts. */
const MOST_UNFINISHED = 80_000;

beforeAll(async () => {
  const app = express();
  app.post('/', createPrefaceReader(createUnfinishedBodies(MOST_UNFINISHED)), async (request, response) => {
    const early = { ...getEarlyBody(request) };
    const { fields, file } = await receiveMultipart(request, response, {
      part: 'file',
      maxBytes: 10 * 1024 * 1024,
    }).catch((error: Error) => ({
      fields: { refused: error.constructor.name },
      file: null,
    }));
    await discardUpload(file);
    response.json({ early, fields, size: file?.size ?? null });
  });
  server = await listen({ handler: app, host: '127.0.0.1', port: 0 });
});

afterAll(() => server.stop());

function post(boundary = 'b'): ClientRequest {
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return httpRequest(server.url, { method: 'POST', headers });
}

async function readReply(sending: ClientRequest): Promise<unknown> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage]; // node's own event
  return JSON.parse(await text(response));
}

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${content}\r\n`;
const END = '--b--\r\n';

describe('the leading fields of a multipart body', () => {
  const body = field('_method', 'put') + field('empty', '') + field('word', 'Maß') + file('12345') + END;
  const early = { _method: 'put', empty: '', word: 'Maß' };

  test.each([1, 2, 7, 1000])('are read before the rest, in chunks of %i bytes', async (size) => {
    const bytes = Buffer.from(body);
    const sending = post();
    for (let at = 0; at < bytes.length; at += size) {
      sending.write(bytes.subarray(at, at + size));
      await tick();
    }
    sending.end();
    expect(await readReply(sending)).toEqual({ early, fields: early, size: 5 });
  });

  test('end at the first file', async () => {
    const content = 'x'.repeat(3_000_000);
    const sending = post();
    sending.end(field('token', 't') + file(content) + field('late', '1') + END);
    const fields = { token: 't', late: '1' };
    expect(await readReply(sending)).toEqual({ early: { token: 't' }, fields, size: 3_000_000 });
  });

  test('are available while the file is still arriving', async () => {
    const sending = post();
    sending.write(field('token', 't') + file('').slice(0, -2));
    await tick();
    sending.end(`12345\r\n${END}`);
    expect(await readReply(sending)).toMatchObject({ early: { token: 't' }, size: 5 });
  });

  test('end after 64 KiB', async () => {
    const long = 'x'.repeat(70_000);
    const sending = post();
    sending.end(field('token', 't') + field('long', long) + field('_method', 'put') + END);
    expect(await readReply(sending)).toMatchObject({
      early: { token: 't' },
      fields: { long, _method: 'put' },
    });
  });

  test('end after 100 fields', async () => {
    const sending = post();
    sending.end(Array.from({ length: 1_000 }, (_, index) => field(`f${index}`, 'x')).join('') + END);
    const { early } = (await readReply(sending)) as { early: object };
    expect(Object.keys(early)).toHaveLength(100);
  });

  test('the last duplicate applies; the boundary may be quoted and end in dashes', async () => {
    const sending = post('"b--"; charset=utf-8');
    const fields = field('token', 'first') + field('token', 'last');
    sending.end(`${fields.replaceAll('--b\r\n', '--b--\r\n')}--b----\r\n`);
    expect(await readReply(sending)).toMatchObject({ early: { token: 'last' } });
  });

  test.each([
    ['no end', field('token', 't').slice(0, -2)],
    ['no boundary', 'token=t'],
    ['a head without an end', '--b\r\nContent-Disposition: form-data; name="token"'],
  ])('of a body with %s are empty, without waiting for more bytes', async (_what, broken) => {
    const sending = post();
    sending.end(broken);
    expect(await readReply(sending)).toMatchObject({ early: {}, fields: { refused: 'BadRequest' } });
  });

  test('of an empty body are empty', async () => {
    const sending = post();
    sending.end();
    expect(await readReply(sending)).toEqual({ early: {}, fields: {}, size: null });
  });

  test('of bodies that do not end are bounded: the oldest loses its connection', async () => {
    const open = async (): Promise<ClientRequest> => {
      const sending = post();
      sending.write(field('token', 'x'.repeat(60_000)).slice(0, -2));
      await once(sending, 'socket');
      return sending;
    };
    const oldest = await open();
    const gone = new Promise((resolve) => oldest.once('error', resolve));
    const [next, last] = [await open(), await open()];
    await gone;
    for (const sending of [next, last]) sending.on('error', () => undefined).destroy();
  });

  test('are discarded if the client disconnects', async () => {
    const sending = post();
    sending.write('--b\r\nContent-');
    await once(sending, 'socket');
    await tick();
    const gone = new Promise((resolve) => sending.once('close', resolve).on('error', () => undefined));
    sending.destroy();
    await gone;
    const next = post();
    next.end(field('token', 't') + END);
    expect(await readReply(next)).toMatchObject({ early: { token: 't' } });
  });
});
