import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import request, { type Response } from 'supertest';
import { removeUnreferencedFiles } from '../../../src/catalog/images/remove-unreferenced-files.job';
import { setPublicUrl } from '../../../src/platform/public-url';
import { buildTemporaryPath } from '../../../src/platform/temporary-files';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { anImageOwner, replaceImage, uploadImage } from '../../support/images.factory';
import { aCameraPicture, anAnimation, aPicture, inspect } from '../../support/pictures';
import { STORAGE_FOLDER, listStoredKeys, listTemporaryFiles, testStorage } from '../../support/storage';
import { NOT_FOUND } from '../../support/error-bodies';

const SIZES = ['mini', 'small', 'product', 'large', 'xlarge'] as const;

let images: string;

beforeEach(async () => {
  images = `/products/${(await anImageOwner()).slug}/images`;
});

async function anImage(bytes?: Buffer, name?: string): Promise<Record<string, any>> {
  const reply = await uploadImage(images, { ...(bytes && { bytes }), ...(name && { name }) });
  return reply.body;
}

/** Requests a file as a browser does, without a token. */
async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return request(testApp().app).get(url).set(headers).buffer(true);
}

describe('the five sizes', () => {
  test.each([
    [
      'a large square',
      1000,
      1000,
      [
        [48, 48],
        [100, 100],
        [240, 240],
        [600, 600],
        [1000, 1000],
      ],
    ],
    [
      'a wide picture',
      1200,
      600,
      [
        [48, 24],
        [100, 50],
        [240, 120],
        [600, 300],
        [1200, 600],
      ],
    ],
    [
      'a tall picture',
      300,
      1200,
      [
        [12, 48],
        [25, 100],
        [60, 240],
        [150, 600],
        [300, 1200],
      ],
    ],
    [
      'a small picture, without enlarging it',
      60,
      30,
      [
        [48, 24],
        [60, 30],
        [60, 30],
        [60, 30],
        [60, 30],
      ],
    ],
    [
      'a picture one pixel high',
      5000,
      1,
      [
        [48, 1],
        [100, 1],
        [240, 1],
        [600, 1],
        [1200, 1],
      ],
    ],
  ])('are calculated for %s', async (_what, width, height, expected) => {
    const image = await anImage(await aPicture({ width, height }));
    expect(image).toMatchObject({ attachment_width: width, attachment_height: height });
    for (const [index, size] of SIZES.entries()) {
      const { metadata } = await inspect((await get(image[`${size}_url`])).body);
      expect([metadata.width, metadata.height]).toEqual(expected[index]);
    }
    const widths = [...new Set(expected.map(([w = 0]) => w))];
    expect(image['urls'].map(({ width: w }: { width: number }) => w)).toEqual(widths);
    const last = image['urls'].at(-1);
    const { metadata } = await inspect((await get(last.url)).body);
    expect(metadata.width).toBe(last.width);
  });

  test.each(['jpeg', 'png', 'gif'] as const)('a %s keeps its format and content', async (format) => {
    const image = await anImage(await aPicture({ format, width: 800, height: 800 }));
    for (const size of SIZES) {
      const reply = await get(image[`${size}_url`]);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe(`image/${format}`);
      const { metadata, pixel } = await inspect(reply.body);
      expect(metadata.format).toBe(format);
      const y = Math.floor(metadata.height / 2);
      expectColor(pixel(4, y), [255, 0, 0, 255]);
      expectColor(pixel(metadata.width - 5, y), [0, 0, 255, 255]);
    }
  });

  test('a transparent PNG stays transparent', async () => {
    const image = await anImage(await aPicture({ width: 800, height: 800, alpha: 0.5 }));
    for (const size of SIZES) {
      const { pixel } = await inspect((await get(image[`${size}_url`])).body);
      expectColor(pixel(4, 10), [255, 0, 0, 128]);
    }
  });

  test('of an animation show its first frame', async () => {
    const image = await anImage(await anAnimation(), 'moving.gif');
    expect(image).toMatchObject({ attachment_width: 80, attachment_height: 60 });
    const { metadata, pixel } = await inspect((await get(image.large_url)).body);
    expect(metadata).toMatchObject({ format: 'gif', width: 80, height: 60 });
    expect(metadata.pages ?? 1).toBe(1);
    expectColor(pixel(40, 30), [255, 0, 0, 255]);
  });

  test('a picture is rotated by its EXIF orientation, and all metadata is removed', async () => {
    const bytes = await aCameraPicture({ width: 800, height: 400 });
    expect(bytes.includes('Somebody Private')).toBe(true);

    const image = await anImage(bytes, 'camera.jpg');

    expect(image).toMatchObject({ attachment_width: 400, attachment_height: 800 });
    for (const size of SIZES) {
      const reply = await get(image[`${size}_url`]);
      const { metadata, pixel } = await inspect(reply.body);
      expect(metadata.height).toBe(metadata.width * 2);
      expect(metadata.orientation).toBeUndefined();
      expect(metadata.exif).toBeUndefined();
      expect(metadata.icc).toBeUndefined();
      expect(metadata.xmp).toBeUndefined();
      expect(reply.body.includes('Somebody Private')).toBe(false);
      // The left side is on top after a quarter turn clockwise.
      expectColor(pixel(10, 4), [255, 0, 0, 255]);
      expectColor(pixel(10, metadata.height - 5), [0, 0, 255, 255]);
    }
  });

  test('bytes appended to a picture are not served', async () => {
    const page = Buffer.from('<script>alert(document.domain)</script>');
    for (const format of ['jpeg', 'png', 'gif'] as const) {
      const image = await anImage(Buffer.concat([await aPicture({ format }), page]), 'page.html');
      expect(image).toMatchObject({
        attachment_content_type: `image/${format}`,
        attachment_file_name: 'page.html',
      });
      for (const size of SIZES) {
        const reply = await get(image[`${size}_url`]);
        expect(reply.headers['content-type']).toBe(`image/${format}`);
        expect(reply.body.includes('<script>')).toBe(false);
      }
    }
  });

  function expectColor(actual: number[], expected: number[]): void {
    const distance = actual.map((value, index) => Math.abs(value - (expected[index] ?? NaN)));
    expect(Math.max(...distance)).toBeLessThan(40);
  }
});

describe('other formats', () => {
  const isoBrand = (bytes: Buffer) => bytes.subarray(4, 12).toString('latin1');
  const riffKind = (bytes: Buffer) => bytes.subarray(8, 12).toString('latin1');

  test('are sent to clients whose Accept names them, are made once, and go with the image', async () => {
    const image = await anImage(await aPicture({ format: 'jpeg', width: 800, height: 800 }));
    const before = await listStoredKeys();
    for (const [accept, type] of [
      ['image/avif,image/webp,image/*,*/*;q=0.8', 'image/avif'],
      ['image/webp,*/*', 'image/webp'],
      ['image/avif;q=0, IMAGE/WEBP;q=0.5', 'image/webp'],
      ['image/*', 'image/jpeg'],
      ['*/*', 'image/jpeg'],
    ] as const) {
      for (const size of SIZES) {
        const reply = await get(image[`${size}_url`], { Accept: accept });
        expect([accept, reply.status, reply.headers['content-type']]).toEqual([accept, 200, type]);
        expect(reply.headers['vary']).toContain('Accept');
        expect(reply.headers['cache-control']).toContain('immutable');
        expect(reply.headers['content-length']).toBe(String(reply.body.length));
        if (type === 'image/avif') expect(isoBrand(reply.body)).toBe('ftypavif');
        if (type === 'image/webp') expect(riffKind(reply.body)).toBe('WEBP');
        const again = await get(image[`${size}_url`], { Accept: accept });
        expect(again.body.equals(reply.body)).toBe(true);
        expect(again.headers['etag']).toBe(reply.headers['etag']);
      }
    }
    const [avif, webp, jpeg] = await Promise.all(
      ['image/avif', 'image/webp', ''].map(
        async (Accept) => (await get(image['large_url'], { Accept })).headers['etag'],
      ),
    );
    expect(new Set([avif, webp, jpeg]).size).toBe(3);
    const made = (await listStoredKeys())
      .filter((key) => !before.includes(key))
      .map((key) => key.split('/').at(-1));
    expect(made.sort()).toEqual(SIZES.flatMap((size) => [`${size}.avif`, `${size}.webp`]).sort());
    await api(await anAdmin()).delete(`${images}/${image['id']}`);
    expect((await listStoredKeys()).filter((key) => made.includes(key.split('/').at(-1) ?? ''))).toEqual([]);
  });

  test('an image of a version before, without the fifth size, gets it by its first request', async () => {
    const image = await anImage(await aPicture({ width: 1300, height: 650 }));
    const { storage_key } = await testDb()('images').where({ id: image['id'] }).first();
    await testStorage().remove(`${storage_key}/xlarge`);
    const replies = await Promise.all([get(image['xlarge_url']), get(image['xlarge_url'])]);
    for (const reply of replies) {
      const { metadata } = await inspect(reply.body);
      expect([reply.status, metadata.width, metadata.height]).toEqual([200, 1200, 600]);
    }
    expect(await listStoredKeys()).toContain(`${storage_key}/xlarge`);
  });
});

test('PUBLIC_URL makes the URLs of images absolute', async () => {
  const image = await anImage();
  const publicUrl = 'https://api.shop.example';
  try {
    const { app } = makeTestApp({}, { publicUrl });
    const { body } = await request(app).get(`/api/v1${images}/${image['id']}`);
    expect(body.xlarge_url).toBe(publicUrl + image['xlarge_url']);
    expect(body.urls.at(-1).url).toBe(publicUrl + image['urls'].at(-1).url);
    expect(body.mini_url).toBe(publicUrl + image['mini_url']);
  } finally {
    setPublicUrl('');
  }
});

describe('serving files', () => {
  test('sends images as immutable, embeddable on every page, with a strict security policy', async () => {
    const image = await anImage();
    const reply = await get(image.mini_url);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(reply.body.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      etag: expect.stringMatching(/^"[0-9a-f-]{36}-mini"$/),
    });
    expect(reply.headers['last-modified']).toBe(new Date(image.attachment_updated_at).toUTCString());
  });

  test('a URL without its version must be revalidated', async () => {
    const image = await anImage();
    const [plain] = image.mini_url.split('?');
    for (const url of [plain, `${plain}?1`, `${plain}?`, `${image.mini_url}&x`]) {
      const reply = await get(url);
      expect(reply.status).toBe(200);
      expect(reply.headers['cache-control']).toBe('public, no-cache');
    }
  });

  test('returns 304 for a matching ETag', async () => {
    const image = await anImage();
    const first = await get(image.small_url);
    for (const headers of [
      { 'If-None-Match': first.headers['etag'] ?? '' },
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': first.headers['last-modified'] ?? '' },
    ]) {
      const reply = await get(image.small_url, headers);
      expect(reply.status).toBe(304);
      expect(reply.headers['etag']).toBe(first.headers['etag']);
      expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect((await get(image.small_url, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('returns the headers of GET for HEAD', async () => {
    const image = await anImage();
    const got = await get(image.large_url);
    const head = await request(testApp().app).head(image.large_url);
    expect(head.status).toBe(200);
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag', 'last-modified'])
      expect(head.headers[name]).toBe(got.headers[name]);
    expect(head.text).toBeUndefined();
  });

  test('each size has its own ETag, and a new picture has new ones', async () => {
    const image = await anImage();
    const replaced = (await replaceImage(`${images}/${image.id}`)).body;
    const etags = new Set<string | undefined>();
    for (const one of [image, replaced])
      for (const size of SIZES) etags.add((await get(`${one[`${size}_url`]}`)).headers['etag']);
    expect(etags.size).toBe(5); // The old URLs show the new picture.

    const old = await get(image.mini_url);
    expect(old.headers['cache-control']).toBe('public, no-cache');
  });

  test('only the exact stored name is found', async () => {
    const image = await anImage(undefined, 'front view.png');
    const base = `/store/products/${image.id}`;
    const other = await anImage();
    for (const url of [
      `${base}/mini/front view.png`.replace(' ', '%20'),
      `${base}/mini/FRONT_VIEW.png`,
      `${base}/mini/front_view.jpg`,
      `${base}/mini/front_view.png/`,
      `${base}/mini/front_view.png%00`,
      `${base}/mini/`,
      `${base}/mini`,
      `${base}/original/front_view.png`,
      `${base}/huge/front_view.png`,
      `${base}/Mini/front_view.png`,
      `${base}/__proto__/front_view.png`,
      `${base}/mini/..%2foriginal`,
      `${base}/..%2f..%2f..%2fpostgres.json/mini`,
      `/store/products/${other.id}/mini/front_view.png`,
      `/store/products/2147483647/mini/front_view.png`,
      `/store/products/99999999999/mini/front_view.png`,
      `/store/products/0/mini/front_view.png`,
      `/store/products/x/mini/front_view.png`,
      `/store/products/1e1/mini/front_view.png`,
      `/Store/products/${image.id}/mini/front_view.png`,
    ]) {
      const reply = await get(url);
      expect([url, reply.status, reply.body]).toEqual([url, 404, NOT_FOUND]);
      expect(reply.headers['cache-control']).toBe('no-store');
    }
    expect((await get(`${base}/mini/front_view%2Epng`)).status).toBe(200);
    expect((await get(`${base}/mini/%E0%A4%A`)).status).toBe(404);
  });

  test('methods other than GET and HEAD are rejected', async () => {
    const { mini_url } = await anImage();
    const client = request(testApp().app);
    for (const reply of [
      await client.post(mini_url),
      await client.put(mini_url),
      await client.delete(mini_url),
    ]) {
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual(NOT_FOUND);
    }
  });

  test('a deleted image and an image whose file is missing return 404', async () => {
    const deleted = await anImage();
    await api(await anAdmin()).delete(`${images}/${deleted.id}`);
    const lost = await anImage();
    const { storage_key } = await testDb()('images').where({ id: lost.id }).first('storage_key');
    await testStorage().remove(storage_key);
    for (const url of [deleted.mini_url, lost.mini_url]) {
      const reply = await get(url);
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual(NOT_FOUND);
    }
  });
});

describe('sweeping files', () => {
  const HOUR_MS = 60 * 60 * 1000;

  /** Sets the files' modification time to `ms` ago. */
  async function setFileAge(keys: string[], ms: number): Promise<void> {
    const then = new Date(Date.now() - ms);
    for (const key of keys) await utimes(path.join(STORAGE_FOLDER, key), then, then);
  }

  async function listFiles(id: number): Promise<string[]> {
    const { storage_key } = await testDb()('images').where({ id }).first('storage_key');
    return (await listStoredKeys()).filter((key) => key.startsWith(storage_key));
  }

  test('removes old files without a row, and no others', async () => {
    const named = await listFiles((await anImage()).id);
    const forgotten = await anImage();
    const old = await listFiles(forgotten.id);
    const recent = await anImage();
    const young = await listFiles(recent.id);
    await testStorage().put('images/aa/half-written/large.part', Buffer.from('x'));
    await testDb()('images').whereIn('id', [forgotten.id, recent.id]).delete();
    const [abandoned, uploading] = [buildTemporaryPath(), buildTemporaryPath()];
    const of = (pid: number) => buildTemporaryPath().replace(`-${process.pid}-`, `-${pid}-`);
    const [ofKilled, ofRunning] = [of(spawnSync(process.execPath, ['--version']).pid), of(process.ppid)];
    for (const file of [abandoned, uploading, ofKilled, ofRunning]) await writeFile(file, 'half an upload');
    const then = new Date(Date.now() - 2 * HOUR_MS);
    for (const file of [abandoned, ofKilled, ofRunning]) await utimes(file, then, then);
    await setFileAge([...named, ...old, 'images/aa/half-written/large.part'], 2 * HOUR_MS);
    await setFileAge(young, HOUR_MS / 2);

    // More if other programs of this machine have left temporary files.
    expect(await removeUnreferencedFiles(testApp().deps)).toBeGreaterThanOrEqual(4);

    const left = await listStoredKeys();
    expect(left).toEqual(expect.arrayContaining([...named, ...young]));
    expect(left.filter((key) => old.includes(key) || key.includes('half-written'))).toEqual([]);
    expect(await listTemporaryFiles()).toEqual([path.basename(uploading)]);
    expect([ofKilled, ofRunning].filter((file) => existsSync(file))).toEqual([ofRunning]);
    for (const file of [uploading, ofRunning]) await rm(file);
  });

  test('keeps files that several rows share until the last row is deleted', async () => {
    const image = await anImage();
    const row = await testDb()('images').where({ id: image.id }).first();
    const [copy] = await testDb()('images')
      .insert({ ...row, id: undefined, position: 2 })
      .returning('id');
    const admin = await anAdmin();

    await api(admin).delete(`${images}/${image.id}`);
    expect((await listFiles(copy.id)).length).toBe(6);
    await api(admin).delete(`${images}/${copy.id}`);
    expect((await listStoredKeys()).filter((key) => key.startsWith(row.storage_key))).toEqual([]);
  });
});
