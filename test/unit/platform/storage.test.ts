import fs, { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { FilesUnavailable, InsufficientStorage, Unavailable } from '../../../src/platform/errors';
import { createLocalDisk } from '../../../src/platform/storage/local-disk';
import { checkBucket, createS3Bucket } from '../../../src/platform/storage/s3-bucket';
import { parseS3Url, type S3Address } from '../../../src/platform/storage/s3-url';
import type { FileStorage } from '../../../src/platform/storage/storage';
import { startS3Server, type S3Server } from '../../support/s3-server';

let folder: string;
let server: S3Server;
let buckets = 0;

beforeAll(async () => {
  server = await startS3Server();
});

afterAll(() => server.stop());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-storage-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function read(storage: FileStorage, key: string): Promise<string | null> {
  const file = await storage.open(key);
  return file === null ? null : (await buffer(file.stream)).toString();
}

async function keys(storage: FileStorage, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of storage.list(prefix)) found.push(file.key);
  return found.sort();
}

const inFolder = () => createLocalDisk(path.join(folder, 'files'));
const inBucket = () => createS3Bucket({ ...server.address, prefix: `shop-${(buckets += 1)}` });

describe.each([
  ['a folder', inFolder],
  ['an S3 bucket', inBucket],
])('%s', (_name, create) => {
  let storage: FileStorage;

  beforeEach(() => {
    storage = create();
  });

  test('opens stored bytes and files, with their size', async () => {
    const source = path.join(folder, 'source');
    await writeFile(source, 'from a file');
    await storage.put('a/b/1', Buffer.from('from memory'));
    await storage.put('a/b/2', { path: source });

    expect(await read(storage, 'a/b/1')).toBe('from memory');
    expect(await read(storage, 'a/b/2')).toBe('from a file');
    const file = await storage.open('a/b/2');
    expect(file?.size).toBe(11);
    file?.stream.destroy();
    expect(await readFile(source, 'utf8')).toBe('from a file');
  });

  test('streams a large file unchanged', async () => {
    const source = path.join(folder, 'source');
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'abcdefg');
    await writeFile(source, bytes);
    await storage.put('large', { path: source });

    const file = await storage.open('large');
    expect(file?.size).toBe(bytes.length);
    expect((await buffer(file!.stream)).equals(bytes)).toBe(true); // opened above
  });

  test('open returns null for missing files and for folders', async () => {
    await storage.put('a/b', Buffer.from('x'));
    expect(await storage.open('a/c')).toBeNull();
    expect(await storage.open('x/y/z')).toBeNull();
    expect(await storage.open('a')).toBeNull();
  });

  test('a file that cannot be read is not stored', async () => {
    await expect(storage.put('a/b', { path: path.join(folder, 'missing') })).rejects.toThrow('ENOENT');
    expect(await keys(storage, 'a')).toEqual([]);
  });

  test('remove deletes a file or all files below a prefix; repeatable', async () => {
    for (const key of ['a/1/x', 'a/1/y', 'a/11/x', 'b']) await storage.put(key, Buffer.from(key));

    await storage.remove('a/1');
    await storage.remove('a/1');
    expect(await keys(storage, 'a')).toEqual(['a/11/x']);
    await storage.remove('b');
    expect(await read(storage, 'b')).toBeNull();
    expect(await read(storage, 'a/11/x')).toBe('a/11/x');
  });

  test('list returns all files below a prefix, or all files, with their modification time', async () => {
    const before = Date.now();
    for (const key of ['a/1/x', 'a/2', 'ab/x', 'b/x']) await storage.put(key, Buffer.from(key));

    expect(await keys(storage, 'a')).toEqual(['a/1/x', 'a/2']);
    expect(await keys(storage, '')).toEqual(['a/1/x', 'a/2', 'ab/x', 'b/x']);
    expect(await keys(storage, 'nothing')).toEqual([]);
    for await (const file of storage.list('b'))
      expect(file.modified_at.getTime()).toBeGreaterThan(before - 2000);
  });

  test.each(['', '/', '..', '../x', 'a/../b', 'a/./b', 'a//b', '/a', 'a/', 'a\\b', 'a\0b', '.hidden', 'A'])(
    '%p is not a valid key',
    async (key) => {
      const refused = 'is not a storage key';
      await expect((async () => storage.put(key, Buffer.from('x')))()).rejects.toThrow(refused);
      await expect((async () => storage.open(key))()).rejects.toThrow(refused);
      await expect((async () => storage.remove(key))()).rejects.toThrow(refused);
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

test('in a folder, a failed write leaves no partial file', async () => {
  await mkdir(path.join(folder, 'files', 'a', 'taken'), { recursive: true });
  await expect(inFolder().put('a/taken', Buffer.from('x'))).rejects.toThrow();
  expect(await readdir(path.join(folder, 'files', 'a'))).toEqual(['taken']);
});

test.each([
  ['EROFS', FilesUnavailable],
  ['EIO', FilesUnavailable],
  ['EMFILE', FilesUnavailable],
  ['ENOSPC', InsufficientStorage],
  ['EISDIR', Error],
])('a disk that fails with %s is %p', async (code, kind) => {
  const failure = Object.assign(new Error(code), { code });
  const fail = jest.spyOn(fs, 'open').mockRejectedValue(failure);
  const write = jest.spyOn(fs, 'writeFile').mockRejectedValue(failure);
  const settle = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const [opened, put] = await Promise.all([
    settle(inFolder().open('a/1')),
    settle(inFolder().put('a/1', Buffer.from('x'))),
  ]);
  for (const spy of [fail, write]) spy.mockRestore();
  for (const error of [opened, put]) {
    expect(error).toBeInstanceOf(kind);
    expect(error instanceof Unavailable).toBe(kind === FilesUnavailable);
  }
});

test('in a bucket, lists of more than one page are complete', async () => {
  const storage = createS3Bucket({ ...server.address, prefix: 'pages' }, { pageSize: 2 });
  const all = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'];
  for (const key of all) await storage.put(key, Buffer.from(key));
  expect(await keys(storage, 'a')).toEqual(all);
  await storage.remove('a');
  expect(await keys(storage, 'a')).toEqual([]);
});

test('shops with different prefixes share a bucket', async () => {
  const [one, other] = [inBucket(), inBucket()];
  await one.put('a', Buffer.from('one'));
  await other.put('a', Buffer.from('other'));
  await other.remove('a');
  expect(await keys(one, '')).toEqual(['a']);
  expect(await read(one, 'a')).toBe('one');
});

describe('the check of a bucket', () => {
  const check = (change: Partial<S3Address>) => checkBucket({ ...server.address, ...change });

  test('succeeds without leaving a file', async () => {
    expect(await check({})).toBeNull();
    expect(await keys(createS3Bucket(server.address), '')).toEqual([]);
  });

  test.each<[string, Partial<S3Address>, object]>([
    ['a missing bucket', { bucket: 'other' }, { kind: 'refused', code: 'NoSuchBucket' }],
    [
      'an unknown key',
      { credentials: { accessKeyId: 'OTHER', secretAccessKey: 'S3RVER' } },
      { kind: 'refused', code: 'InvalidAccessKeyId' },
    ],
    ['a closed port', { endpoint: 'http://127.0.0.1:1' }, { kind: 'unreachable', code: 'ECONNREFUSED' }],
  ])('names the problem of %s', async (_name, change, problem) => {
    expect(await check(change)).toEqual(problem);
  });
});

const errorOf = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
const PAGE = '<html><h1>Hello<br>';

test.each<[string, number, string, string, typeof Unavailable | typeof InsufficientStorage]>([
  ['forbids', 403, errorOf('AccessDenied'), 'refused AccessDenied', Unavailable],
  ['is behind a proxy that forbids', 403, PAGE, 'refused status 403', Unavailable],
  ['is behind a proxy that answers itself', 200, PAGE, 'refused UnexpectedReply', Unavailable],
  ['does nothing', 200, '', 'refused UnexpectedReply', Unavailable],
  ['is elsewhere', 301, errorOf('PermanentRedirect'), 'refused PermanentRedirect', Unavailable],
  ['asks to slow down', 503, errorOf('SlowDown'), 'unreachable SlowDown', Unavailable],
  ['limits requests', 429, '', 'unreachable status 429', Unavailable],
  ['fails', 502, PAGE, 'unreachable status 502', Unavailable],
  ['is full', 507, errorOf('XMinioStorageFull'), 'full XMinioStorageFull', InsufficientStorage],
  ['has a quota', 403, errorOf('QuotaExceeded'), 'full QuotaExceeded', InsufficientStorage],
])('a service that %s stores nothing, and the check says why', async (_, status, body, problem, error) => {
  const failing = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
  const { port } = failing.address() as AddressInfo; // it listens on TCP
  const address = { ...server.address, endpoint: `http://127.0.0.1:${port}` };
  try {
    const refusal = await createS3Bucket(address)
      .put('a', Buffer.from('x'))
      .catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(error);
    expect(inspect(refusal, { depth: 9 })).not.toContain(
      server.address.credentials?.secretAccessKey ?? 'S3RVER',
    );
    expect(Object.values((await checkBucket(address)) ?? {}).join(' ')).toBe(problem);
  } finally {
    failing.closeAllConnections();
    failing.close();
  }
});

test('a file whose size the service does not say is not missing', async () => {
  const chunked = createServer((request, response) => {
    request.resume().once('end', () => void response.writeHead(200).write('x', () => response.end()));
  });
  await new Promise<void>((resolve) => chunked.listen(0, '127.0.0.1', resolve));
  const { port } = chunked.address() as AddressInfo; // it listens on TCP
  try {
    const storage = createS3Bucket({ ...server.address, endpoint: `http://127.0.0.1:${port}` });
    await expect(storage.open('a')).rejects.toThrow(Unavailable);
  } finally {
    chunked.closeAllConnections();
    chunked.close();
  }
});

describe('STORAGE_URL', () => {
  test.each<[string, Partial<S3Address>]>([
    ['s3://files', { bucket: 'files', prefix: '', endpoint: null, region: null, credentials: null }],
    ['s3://my.files/shop/eu/', { bucket: 'my.files', prefix: 'shop/eu' }],
    [
      's3://files?endpoint=http://127.0.0.1:9000&region=eu-1',
      { endpoint: 'http://127.0.0.1:9000', region: 'eu-1' },
    ],
    ['s3://key:se%2Fcr%2Bet@files', { credentials: { accessKeyId: 'key', secretAccessKey: 'se/cr+et' } }],
  ])('%s is valid', (url, address) => {
    expect(parseS3Url(url)).toMatchObject(address);
  });

  test.each([
    'files',
    'http://files',
    's3://',
    's3://a',
    's3://Files',
    's3://files/UP',
    's3://files?endpoint=ftp://x',
    's3://files?endpoint=nothing',
    's3://files?endpont=http://x',
    's3://files#x',
    's3://key@files',
    's3://files:9000',
  ])('%s is invalid', (url) => {
    expect(parseS3Url(url)).toBeNull();
  });
});
