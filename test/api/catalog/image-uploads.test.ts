import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import sharp from 'sharp';
import { InsufficientStorage } from '../../../src/platform/errors';
import { listen, type HttpServer } from '../../../src/platform/http/http-server';
import { aCustomer, anAdmin, type TestUser } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { anImageOwner, listImageIds, replaceImage, uploadImage } from '../../support/images.factory';
import { aDecompressionBomb, aCameraPicture, anAnimation, aPicture } from '../../support/pictures';
import { listStoredKeys, listTemporaryFiles, testStorage } from '../../support/storage';
import { invalid } from '../../support/error-bodies';

const MEBIBYTE = 1024 * 1024;
const NOT_A_PICTURE = invalid({ attachment: ['is invalid'] });
const NO_PICTURE = invalid({ attachment: ["can't be blank"] });
const TOO_LARGE = { error: 'The request is too large.' };
const UNREADABLE = { error: 'The request body could not be parsed.' };

let server: HttpServer;
let admin: TestUser;
let path: string;
let keysBefore: string[];

beforeAll(async () => {
  server = await listen({ handler: testApp().app, host: '127.0.0.1', port: 0 });
});

afterAll(() => server.stop());

beforeEach(async () => {
  admin = await anAdmin();
  path = `/products/${(await anImageOwner()).slug}/images`;
  keysBefore = await listStoredKeys();
});

/** Checks that an error leaves no record, no stored file and no temporary file. */
async function expectNothingLeft(): Promise<void> {
  expect(await listImageIds(path)).toEqual([]);
  expect(await listStoredKeys()).toEqual(keysBefore);
  expect(await listTemporaryFiles()).toEqual([]);
}

const BOUNDARY = 'a-boundary';

function buildFilePart(bytes: Buffer, part = 'image[attachment]'): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part}"; filename="a.png"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
}

const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Starts an upload whose bytes the test writes. */
function beginUpload(caller: TestUser, headers: Record<string, string | number> = {}): ClientRequest {
  return httpRequest(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'X-Store-Token': caller.token,
      ...headers,
    },
  });
}

async function waitForReply(sending: ClientRequest): Promise<{ status: number | undefined; body: unknown }> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage]; // The event that node emits for a response.
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

describe('invalid pictures', () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  );
  const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - Math.ceil(bytes.length / 3));
  const noise = (): sharp.Sharp =>
    sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['an SVG', () => svg],
    ['an SVG behind an XML declaration', () => Buffer.concat([Buffer.from('<?xml version="1.0"?>\n'), svg])],
    ['an HTML page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an HTML page that starts like a GIF', () => Buffer.from('GIF89a/*<script>*/=alert(1)//</script>')],
    [
      'an HTML page that starts like a JPEG',
      () => Buffer.from('\xff\xd8\xff\xe0<script>alert(1)</script>', 'latin1'),
    ],
    [
      'an HTML page that starts like a PNG',
      () => Buffer.from('\x89PNG\r\n\x1a\n<script></script>', 'latin1'),
    ],
    ['text', () => Buffer.from('just words')],
    ['nothing', () => Buffer.alloc(0)],
    ['a ZIP file', () => Buffer.from('PK\x03\x04'.padEnd(400, '\0'), 'latin1')],
    ['a PDF', () => Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF')],
    ['a WebP', () => noise().webp().toBuffer()],
    ['a TIFF', () => noise().tiff().toBuffer()],
    ['half a JPEG', async () => cut(await noise().jpeg().toBuffer())],
    ['half a progressive JPEG', async () => cut(await noise().jpeg({ progressive: true }).toBuffer())],
    ['half a PNG', async () => cut(await noise().png().toBuffer())],
    ['half a GIF', async () => cut(await noise().gif().toBuffer())],
    ['a PNG with a broken checksum', async () => corrupt(await noise().png().toBuffer())],
  ])('%s returns 422 and leaves nothing', async (_what, bytes) => {
    const reply = await uploadImage(path, {
      bytes: await bytes(),
      name: 'photo.png',
      fields: { type: 'image/png' },
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(NOT_A_PICTURE);
    expect(reply.headers['x-error-hint']).toContain('JPEG, PNG or GIF');
    await expectNothingLeft();
  });

  function corrupt(png: Buffer): Buffer {
    const middle = Math.floor(png.length / 2);
    return Buffer.concat([png.subarray(0, middle), Buffer.alloc(64, 0xaa), png.subarray(middle + 64)]);
  }

  test.each([
    ['50000 x 50000', 50_000, 50_000],
    ['just over the limit', 8_000, 5_001],
    ['one pixel wide', 1, 40_000_001],
  ])('a small file that claims to be huge returns 422: %s', async (_what, width, height) => {
    const reply = await uploadImage(path, { bytes: aDecompressionBomb(width, height) });
    expect(reply.status).toBe(422);
    expect(reply.body.errors.attachment).toHaveLength(1);
    await expectNothingLeft();
  });

  test.each([
    [8, 40],
    [16, 20],
  ] as const)('the error for too many pixels at %i bits contains the limit', async (bits, megapixels) => {
    const reply = await uploadImage(path, { bytes: aDecompressionBomb(10_000, 10_000, bits) });
    expect(reply.body).toEqual(
      invalid({ attachment: [`is too large (maximum is ${megapixels} megapixels)`] }),
    );
  });
});

test.each([
  [16_001, 1],
  [1, 16_001],
  [4_000_000, 10],
])('a thin giant of %i x %i pixels returns 422', async (width, height) => {
  const reply = await uploadImage(path, { bytes: aDecompressionBomb(width, height) });
  expect(reply.body).toEqual(
    invalid({ attachment: ['is too large (maximum is 16000 pixels on each side)'] }),
  );
  await expectNothingLeft();
});

test('a picture with a side of 16,000 pixels is stored', async () => {
  const reply = await uploadImage(path, { bytes: await aPicture({ width: 16_000, height: 2 }) });
  expect(reply.status).toBe(201);
});

describe('invalid uploads', () => {
  test.each<[string, object]>([
    ['nothing at all', {}],
    ['attributes without a file', { image: { alt: 'Front' } }],
    ['null as the file', { image: { attachment: null } }],
    ['an empty attachment', { image: { attachment: '' } }],
  ])('%s returns the error of a missing picture', async (_what, body) => {
    const reply = await api(admin).post(path, body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(NO_PICTURE);
  });

  test.each<[string, unknown]>([
    ['text', 'aGVsbG8='],
    ['an object', { toString: 1 }],
    ['a number', 5],
    ['a list', []],
  ])('an attachment that is %s instead of a file returns 422', async (_what, attachment) => {
    for (const reply of [
      await api(admin).post(path, { image: { attachment } }),
      await replaceByJson(attachment),
    ]) {
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(NOT_A_PICTURE);
    }
  });

  async function replaceByJson(attachment: unknown) {
    const { id } = (await uploadImage(path)).body;
    return api(admin).put(`${path}/${id}`, { image: { attachment } });
  }

  test('a form without a file returns the error of a missing picture', async () => {
    const reply = await api(admin).multipart('post', path, {
      fields: { type: 'image/png', 'image[alt]': 'x' },
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(NO_PICTURE);
  });

  test('a form with an empty file field returns the error of a missing picture', async () => {
    const sending = beginUpload(admin);
    const empty = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image[attachment]"; filename=""\r\n\r\n\r\n`;
    sending.end(Buffer.concat([Buffer.from(empty), END]));
    expect(await waitForReply(sending)).toEqual({ status: 422, body: NO_PICTURE });
    await expectNothingLeft();
  });

  test('a file in another part returns 422', async () => {
    const files = [{ part: 'image[file]', bytes: await aPicture(), name: 'a.png' }];
    const reply = await api(admin).multipart('post', path, { files });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(NOT_A_PICTURE);
    await expectNothingLeft();
  });

  test('several files return 422', async () => {
    const file = { part: 'image[attachment]', bytes: await aPicture(), name: 'a.png' };
    const reply = await api(admin).multipart('post', path, { files: [file, file] });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(NOT_A_PICTURE);
    await expectNothingLeft();
  });

  test('a file sent to an endpoint without uploads returns 422', async () => {
    const files = [{ part: 'file', bytes: await aPicture(), name: 'a.png' }];
    const reply = await api(admin).multipart('post', '/option_types', { files });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid({ base: ['is invalid'] }));
    expect(await listTemporaryFiles()).toEqual([]);
  });

  test.each<[string, string, Buffer]>([
    ['without a boundary', 'multipart/form-data', buildFilePart(Buffer.alloc(10))],
    [
      'that ends too early',
      `multipart/form-data; boundary=${BOUNDARY}`,
      buildFilePart(Buffer.alloc(MEBIBYTE)),
    ],
    ['of random bytes', `multipart/form-data; boundary=${BOUNDARY}`, Buffer.alloc(1000, 7)],
  ])('a multipart body %s returns 400', async (_what, type, body) => {
    const sending = beginUpload(admin, { 'Content-Type': type });
    sending.end(body);
    expect(await waitForReply(sending)).toEqual({ status: 400, body: UNREADABLE });
    await expectNothingLeft();
  });
});

describe('limits', () => {
  test('a file of exactly 10 MiB is accepted', async () => {
    const picture = await aPicture({ format: 'jpeg' });
    const bytes = Buffer.concat([picture, Buffer.alloc(10 * MEBIBYTE - picture.length)]);
    expect((await uploadImage(path, { bytes })).status).toBe(201);
  });

  test.each([
    ['one byte more', 10 * MEBIBYTE + 1],
    ['11 MiB', 11 * MEBIBYTE],
    ['30 MiB', 30 * MEBIBYTE],
  ])('%s returns 413', async (_what, size) => {
    const picture = await aPicture({ format: 'jpeg' });
    const bytes = Buffer.concat([picture, Buffer.alloc(size - picture.length)]);
    const reply = await uploadImage(path, { bytes });
    expect(reply.status).toBe(413);
    expect(reply.body).toEqual(TOO_LARGE);
    await expectNothingLeft();
  });

  test('a body without a Content-Length is cut off at the limit', async () => {
    const sending = beginUpload(admin, { 'Transfer-Encoding': 'chunked' });
    sending.end(Buffer.concat([buildFilePart(Buffer.alloc(20 * MEBIBYTE)), END]));
    expect(await waitForReply(sending)).toEqual({ status: 413, body: TOO_LARGE });
    await expectNothingLeft();
  });

  test('fields together are limited like a JSON body', async () => {
    const field = (name: string) =>
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${'x'.repeat(600_000)}\r\n`,
      );
    const sending = httpRequest(`${server.url}/api/v1/option_types`, {
      method: 'POST',
      headers: {
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'X-Store-Token': admin.token,
        'Transfer-Encoding': 'chunked',
      },
    });
    sending.end(Buffer.concat([field('a'), field('b'), END]));
    expect(await waitForReply(sending)).toEqual({ status: 413, body: TOO_LARGE });
  });
});

describe('authorization before the body is read', () => {
  test.each<[string, () => Buffer]>([
    ['a whole picture', () => Buffer.concat([buildFilePart(Buffer.alloc(8 * MEBIBYTE)), END])],
    ['more than the limit', () => Buffer.concat([buildFilePart(Buffer.alloc(30 * MEBIBYTE)), END])],
    ['an invalid body', () => Buffer.alloc(MEBIBYTE, 7)],
  ])('a customer who sends %s gets 401', async (_what, body) => {
    const sending = beginUpload(await aCustomer());
    sending.end(body());
    expect(await waitForReply(sending)).toEqual({
      status: 401,
      body: { error: 'You are not authorized to perform that action.' },
    });
    await expectNothingLeft();
  });
});

describe('failures during an upload', () => {
  test('an aborted upload leaves nothing', async () => {
    const sending = beginUpload(admin, { 'Content-Length': 5 * MEBIBYTE });
    const broken = new Promise<void>((resolve) => sending.once('error', () => resolve()));
    sending.write(buildFilePart(Buffer.alloc(2 * MEBIBYTE)).subarray(0, MEBIBYTE));
    await waitUntil(async () => (await listTemporaryFiles()).length === 1);

    sending.destroy();
    await broken;

    await waitUntil(async () => (await listTemporaryFiles()).length === 0);
    await expectNothingLeft();
  });

  /** Polls until the condition holds; the timeout of the test is the limit. */
  async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
    for (;;) if (await isSo()) return;
  }

  test('a disk error during the upload leaves neither a record nor files', async () => {
    const storage = testStorage();
    const failing = makeTestApp({
      storage: {
        ...storage,
        put: (key, content) =>
          key.endsWith('/large') ? Promise.reject(new Error('disk full')) : storage.put(key, content),
      },
    });
    const files = [{ part: 'image[attachment]', bytes: await aPicture(), name: 'a.png' }];
    const reply = await api(admin, failing).multipart('post', path, { files });
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({ error: 'Something went wrong.' });
    await expectNothingLeft();
  });

  test('a full disk returns 507 and leaves nothing; later uploads succeed', async () => {
    const storage = testStorage();
    let isFull = true;
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const lines: { level: number; err?: { message: string; cause?: { code: string } } }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const app = makeTestApp({
      log,
      storage: {
        ...storage,
        put: (key, content) =>
          isFull ? Promise.reject(new InsufficientStorage(full)) : storage.put(key, content),
      },
    });
    const files = [{ part: 'image[attachment]', bytes: await aPicture(), name: 'a.png' }];
    const reply = await api(admin, app).multipart('post', path, { files });
    expect([reply.status, reply.body, reply.headers['retry-after']]).toEqual([
      507,
      { error: 'There is not enough storage. Please try again later.' },
      '60',
    ]);
    expect(reply.headers['x-error-code']).toBe('insufficient_storage');
    await expectNothingLeft();
    expect(lines.find(({ err }) => err !== undefined)?.err?.message).toContain('disk is full');
    isFull = false;
    expect((await api(admin, app).multipart('post', path, { files })).status).toBe(201);
  });

  test('a failed replacement keeps the picture', async () => {
    const before = (await uploadImage(path)).body;
    const keys = await listStoredKeys();
    const replies = [
      await replaceImage(`${path}/${before.id}`, { bytes: Buffer.from('words') }),
      await replaceImage(`${path}/${before.id}`, { bytes: Buffer.alloc(11 * MEBIBYTE) }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([422, 413]);
    expect((await api().get(`${path}/${before.id}`)).body).toEqual(before);
    expect(await listStoredKeys()).toEqual(keys);
    expect(await listTemporaryFiles()).toEqual([]);
  });
});

describe('stored files', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['PNG', () => aPicture()],
    ['camera JPEG', () => aCameraPicture({ width: 300, height: 200 })],
    ['animation', anAnimation],
  ])('of a %s: the original and five sizes, no temporary file', async (_what, bytes) => {
    expect((await uploadImage(path, { bytes: await bytes() })).status).toBe(201);
    const added = (await listStoredKeys()).filter((key) => !keysBefore.includes(key));
    const sizes = added.map((key) => key.split('/').at(-1));
    expect(sizes).toEqual(['large', 'mini', 'original', 'product', 'small', 'xlarge']);
    expect(await listTemporaryFiles()).toEqual([]);
  });

  test('are deleted when the picture is replaced or deleted', async () => {
    const { id } = (await uploadImage(path)).body;
    const first = await listStoredKeys();
    expect((await replaceImage(`${path}/${id}`)).status).toBe(201);
    const second = await listStoredKeys();
    expect(second.length).toBe(first.length);
    expect(second).not.toEqual(first);
    expect((await api(admin).delete(`${path}/${id}`)).status).toBe(204);
    expect(await listStoredKeys()).toEqual(keysBefore);
  });

  test.each([
    ['front view.png', 'front_view.png'],
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\pictures\\a.png', 'a.png'],
    ['Größe ½.png', 'Gr__e__.png'],
    ['a<b>"c\'.png', 'a_b__c_.png'],
  ])('the name %s is stored as %s', async (name, kept) => {
    expect((await uploadImage(path, { name })).body.attachment_file_name).toBe(kept);
  });
});
