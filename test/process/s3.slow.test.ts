import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createS3Bucket } from '../../src/platform/storage/s3-bucket';
import { runStoreProgram } from '../support/command-line';
import { expectFailedStart, killPrograms, startProgram, type Program } from '../support/program';
import { startS3Server, type S3Server } from '../support/s3-server';

const ADMIN_TOKEN = 's3-admin-token';

/** How files begin. Not read by sharp, whose decoders the store disables for the whole process of the tests. */
const SIGNATURES = { jpeg: /^\xff\xd8\xff/, webp: /^RIFF.{4}WEBP/s, avif: /^.{4}ftypavif/s };

let folder: string;
let server: S3Server;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-s3-test-')));
  server = await startS3Server();
});

afterAll(async () => {
  killPrograms();
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

async function keysInBucket(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of createS3Bucket(server.address).list(prefix)) keys.push(key);
  return keys;
}

async function read(store: Program, pathname: string, headers: Record<string, string> = {}) {
  const reply = await fetch(new URL(pathname, store.url), {
    headers: { 'X-Store-Token': ADMIN_TOKEN, ...headers },
  });
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    bytes: Buffer.from(await reply.arrayBuffer()),
  };
}

async function readJson(store: Program, pathname: string): Promise<any> {
  const { status, bytes } = await read(store, `/api/v1${pathname}`);
  expect(status).toBe(200);
  return JSON.parse(bytes.toString());
}

test('a store keeps its files in a bucket, which is backed up, moved to the disk and back', async () => {
  const settings = {
    DATA_DIR: path.join(folder, 'data'),
    SEED: 'demo',
    ADMIN_TOKEN,
    STORAGE_URL: server.url,
  };
  const run = async (argv: string[], env: Record<string, string> = settings) => {
    const { code, stdout, stderr } = await runStoreProgram([...argv, '--json'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  let store = await startProgram(settings);
  while (!store.output().includes('demo orders created')) await fetch(`${store.url}/health/live`);
  const restart = async (env: Record<string, string>) => {
    store.child.kill('SIGTERM');
    expect(await store.exited).toBe(0);
    store = await startProgram(env);
  };

  const { products } = await readJson(store, '/products?per_page=50');
  const { image } = products.flatMap((one: any) => one.master.images.map((image: any) => ({ image })))[0];
  const urls = ['mini', 'small', 'product', 'large', 'xlarge'].map((size) => image[`${size}_url`]);
  // AVIF takes long to draw.
  for (const url of urls)
    for (const format of url === urls[0] ? (['jpeg', 'webp', 'avif'] as const) : (['jpeg'] as const)) {
      const { status, type, bytes } = await read(store, url, { Accept: `image/${format}` });
      expect([url, status]).toEqual([url, 200]);
      expect(type).toBe(`image/${format}`);
      expect(bytes.subarray(0, 12).toString('latin1')).toMatch(SIGNATURES[format]);
    }
  const { documents } = await readJson(store, '/documents');
  const pdf = await read(store, documents[0].url);
  expect(pdf).toMatchObject({ status: 200, type: 'application/pdf' });
  expect((await keysInBucket('images')).filter((key) => /\.(webp|avif)$/.test(key))).toHaveLength(2);
  expect(await keysInBucket('documents')).toHaveLength(1);
  expect(readdirSync(settings.DATA_DIR)).not.toContain('files');

  expect((await run(['doctor'])).findings).toContainEqual({
    subject: 'storage',
    severity: 'ok',
    advice: null,
    message: 'files are in s3://files/shop, which can be written, listed, read and deleted',
  });
  const [without, including] = ['without', 'including'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]; // two names
  expect(await run(['backup', without])).toMatchObject({ bucket: 's3://files/shop' });
  expect(readdirSync(without)).not.toContain('files');
  const total = (await keysInBucket('')).length;
  await run(['backup', including, '--files']);
  expect(
    readdirSync(path.join(including, 'files'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    ),
  ).toHaveLength(total);

  // Back to the disk, beside the running store.
  expect(await run(['files', 'move', 'disk'])).toMatchObject({ copied: total, unchanged: 0, removed: 0 });
  const onDisk = { ...settings, STORAGE_URL: '' };
  await restart(onDisk);
  expect((await read(store, urls[0])).status).toBe(200);
  expect(await run(['files', 'move', 'disk', '--delete'])).toMatchObject({
    copied: 0,
    unchanged: total,
    removed: total,
  });
  expect(await keysInBucket('')).toEqual([]);

  // And to the bucket again.
  const moved = await run(['files', 'move', 'bucket']);
  expect(moved).toMatchObject({ to: 's3://files/shop', unchanged: 0 });
  expect(moved.copied).toBeGreaterThanOrEqual(total);
  await restart(settings);
  expect((await read(store, documents[0].url)).bytes.equals(pdf.bytes)).toBe(true);
}, 240_000);

test('a missing bucket stops the start with one line, without credentials', async () => {
  const url = server.url.replace('@files/', '@nowhere/');
  const env = { DATA_DIR: path.join(folder, 'refused'), SEED: 'none', STORAGE_URL: url };
  const { code, stderr } = await expectFailedStart(env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'the bucket of s3://nowhere/shop does not exist; create it, or correct STORAGE_URL\n',
  });
}, 60_000);
