import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createLocalDisk } from '../../../src/platform/storage/local-disk';
import type { FileStorage } from '../../../src/platform/storage/storage';

let folder: string;
let storage: FileStorage;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-disk-'));
  storage = createLocalDisk(path.join(folder, 'files'));
});

afterEach(() => rm(folder, { recursive: true }));

async function read(key: string): Promise<string | null> {
  const file = await storage.open(key);
  return file === null ? null : (await buffer(file.stream)).toString();
}

async function keys(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of storage.list(prefix)) found.push(file.key);
  return found.sort();
}

test('opens stored bytes and files, with their size', async () => {
  const source = path.join(folder, 'source');
  await writeFile(source, 'from a file');
  await storage.put('a/b/1', Buffer.from('from memory'));
  await storage.put('a/b/2', { path: source });

  expect(await read('a/b/1')).toBe('from memory');
  expect(await read('a/b/2')).toBe('from a file');
  const file = await storage.open('a/b/2');
  expect(file?.size).toBe(11);
  file?.stream.destroy();
  expect(await readFile(source, 'utf8')).toBe('from a file');
});

test('open returns null for missing files and for folders', async () => {
  await storage.put('a/b', Buffer.from('x'));
  expect(await storage.open('a/c')).toBeNull();
  expect(await storage.open('x/y/z')).toBeNull();
  expect(await storage.open('a')).toBeNull();
});

test('a failed write leaves no partial file', async () => {
  await mkdir(path.join(folder, 'files', 'a', 'taken'), { recursive: true });
  await expect(storage.put('a/taken', Buffer.from('x'))).rejects.toThrow();
  await expect(storage.put('a/b', { path: path.join(folder, 'missing') })).rejects.toThrow();
  expect(await readdir(path.join(folder, 'files', 'a'))).toEqual(['taken']);
});

test('remove deletes a file or all files below a prefix; repeatable', async () => {
  for (const key of ['a/1/x', 'a/1/y', 'a/11/x', 'b']) await storage.put(key, Buffer.from(key));

  await storage.remove('a/1');
  await storage.remove('a/1');
  expect(await keys('a')).toEqual(['a/11/x']);
  await storage.remove('b');
  expect(await read('b')).toBeNull();
  expect(await read('a/11/x')).toBe('a/11/x');
});

test('list returns all files below a prefix with their modification time', async () => {
  const before = Date.now();
  for (const key of ['a/1/x', 'a/2', 'b/x']) await storage.put(key, Buffer.from(key));

  expect(await keys('a')).toEqual(['a/1/x', 'a/2']);
  expect(await keys('nothing')).toEqual([]);
  for await (const file of storage.list('b'))
    expect(file.modified_at.getTime()).toBeGreaterThan(before - 2000);
});

test.each(['', '/', '..', '../x', 'a/../b', 'a/./b', 'a//b', '/a', 'a/', 'a\\b', 'a\0b', '.hidden', 'A'])(
  '%p is not a valid key',
  async (key) => {
    await expect((async () => storage.put(key, Buffer.from('x')))()).rejects.toThrow('is not a storage key');
    await expect((async () => storage.open(key))()).rejects.toThrow('is not a storage key');
    await expect((async () => storage.remove(key))()).rejects.toThrow('is not a storage key');
    expect(await readdir(folder)).toEqual([]);
  },
);
