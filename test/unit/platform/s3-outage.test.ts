import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { Unavailable } from '../../../src/platform/errors';
import { createLocalDisk } from '../../../src/platform/storage/local-disk';
import { moveFiles } from '../../../src/platform/storage/move-files';
import { checkBucket, createS3Bucket } from '../../../src/platform/storage/s3-bucket';
import type { FileStorage } from '../../../src/platform/storage/storage';
import { S3_FAULTS, startBrokenS3, type BrokenS3, type S3Fault } from '../../support/broken-s3';

/** Long enough for this machine, and short enough for a test. */
const LIMITS = { idleMs: 400, callMs: 1_500, restMs: 0 };

let folder: string;
let service: BrokenS3;
let storage: FileStorage;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-outage-'));
  service = await startBrokenS3(S3_FAULTS.neverAnswers);
  storage = createS3Bucket(service.address, { limits: LIMITS });
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Returns the cause that the log shows. */
async function findCause(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Unavailable);
  return error instanceof Unavailable && error.cause;
}

async function listKeys(from: FileStorage, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of from.list(prefix)) keys.push(key);
  return keys;
}

const SILENT = new Error('the file storage does not work: TimeoutError');
const CALLS: [string, () => Promise<unknown>][] = [
  ['put', () => storage.put('a', Buffer.from('x'))],
  ['put of a large file', () => storage.put('a', Buffer.alloc(3 * 1024 * 1024))],
  ['open', () => storage.open('a')],
  ['remove', () => storage.remove('a')],
  ['list', () => listKeys(storage, 'a')],
];

test.each(CALLS)('%s fails without a repetition if the service never answers', async (_name, call) => {
  expect(await findCause(call())).toEqual(SILENT);
  expect(service.requests()).toBeLessThan(2);
});

test('reading a small file ends if the service stalls, or sends too slowly', async () => {
  service.fail(S3_FAULTS.stallsAfterHead(1000));
  expect(await findCause(storage.open('a'))).toEqual(SILENT);
  service.fail(S3_FAULTS.trickles);
  expect(await findCause(storage.open('a'))).toEqual(SILENT);
});

test('a large file that stalls or is cut off fails as the storage, not as the end of the file', async () => {
  const read = async (fault: S3Fault) => {
    service.fail(fault);
    const file = await storage.open('a');
    return file === null ? null : buffer(file.stream);
  };
  expect(await findCause(read(S3_FAULTS.stallsAfterHead()))).toEqual(SILENT);
  expect(await findCause(read(S3_FAULTS.cutsAfterHead()))).toEqual(
    new Error('the file storage does not work: ECONNRESET'),
  );
});

test('a slow reader of a large file does not count as a silent service', async () => {
  const size = 3 * 1024 * 1024;
  service.fail((reply) => reply.writeHead(200, { 'Content-Length': size }).end(Buffer.alloc(size)));
  const file = await storage.open('a');
  let read = 0;
  for await (const chunk of file?.stream ?? []) {
    if (read === 0) await pause(2 * LIMITS.idleMs);
    read += Buffer.from(chunk).length;
  }
  expect(read).toBe(size);
});

test('a silent service is not called again at once; then it is', async () => {
  const resting = createS3Bucket(service.address, { limits: { ...LIMITS, restMs: LIMITS.callMs } });
  expect(await findCause(resting.open('a'))).toEqual(SILENT);
  service.fail(S3_FAULTS.answers(404));
  expect(await findCause(resting.open('a'))).toEqual(SILENT);
  expect(service.requests()).toBe(1);
  while (service.requests() === 1) await resting.open('a').catch(() => pause(50));
  expect(await resting.open('a')).toBeNull();
});

test.each<[string, S3Fault]>([
  ['fails', S3_FAULTS.answers(500)],
  ['hangs up', S3_FAULTS.hangsUp],
  ['cuts off a small file', S3_FAULTS.cutsAfterHead(1000)],
])('what a service that %s refuses is repeated once', async (_name, fault) => {
  service.fail((reply) => {
    service.fail((second) => second.writeHead(200, { 'Content-Length': 2 }).end('ok'));
    fault(reply);
  });
  const file = await storage.open('a');
  expect((await buffer(file!.stream)).toString()).toBe('ok'); // it exists
  service.fail(fault);
  expect(await findCause(storage.open('a'))).toBeInstanceOf(Error);
  expect(service.requests()).toBe(4);
});

test('a file is sent again completely', async () => {
  const source = path.join(folder, 'source');
  await writeFile(source, 'from a file');
  service.fail((reply) => {
    service.fail((second) => second.writeHead(200, { ETag: '"x"' }).end());
    S3_FAULTS.answers(503)(reply);
  });
  await storage.put('a', { path: source });
  expect(service.bodies()).toEqual(['from a file', 'from a file']);
});

test('the check names a silent service', async () => {
  expect(await checkBucket(service.address, { limits: LIMITS })).toEqual({
    kind: 'unreachable',
    code: 'TimeoutError',
  });
});

test('files that are moved are never removed unless their copy is whole', async () => {
  const disk = createLocalDisk(path.join(folder, 'files'));
  await disk.put('images/1', Buffer.alloc(2 * 1024 * 1024, 'x'));
  const faults = [
    S3_FAULTS.neverAnswers,
    S3_FAULTS.answers(403),
    S3_FAULTS.answers(500),
    S3_FAULTS.cutsAfterHead(),
    S3_FAULTS.stallsAfterHead(),
    // It says that it has stored the file, and has something else.
    (reply) => reply.writeHead(200, { 'Content-Length': 2, ETag: '"x"' }).end('ok'),
  ] satisfies S3Fault[];
  for (const fault of faults) {
    service.fail(fault);
    await expect(moveFiles(disk, storage, { removes: true })).rejects.toThrow(
      /Files are not available|the copy of images\/1 differs/,
    );
    expect(await listKeys(disk, '')).toEqual(['images/1']);
  }
});
