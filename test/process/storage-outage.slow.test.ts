import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { S3_FAULTS, startBrokenS3, type BrokenS3, type S3Fault } from '../support/broken-s3';
import { runStoreProgram } from '../support/command-line';
import { killPrograms, startProgram } from '../support/program';

let folder: string;
let service: BrokenS3;
let settings: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-storage-outage-'));
  service = await startBrokenS3(S3_FAULTS.neverAnswers);
  settings = { DATA_DIR: path.join(folder, 'data'), SEED: 'none', STORAGE_URL: service.url };
});

afterEach(async () => {
  killPrograms();
  await service.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

const FAULTS: [string, S3Fault, RegExp][] = [
  ['never answers', S3_FAULTS.neverAnswers, /cannot be reached \(TimeoutError\)/],
  ['forbids', S3_FAULTS.answers(403), /refuses to write, list, read or delete files \(status 403\)/],
  ['fails', S3_FAULTS.answers(500), /cannot be reached \(status 500\)/],
  ['hangs up', S3_FAULTS.hangsUp, /cannot be reached \(ECONNRESET\)/],
];

test.each(FAULTS)(
  'commands say in a line that a bucket %s, and exit with 1',
  async (_name, fault, message) => {
    service.fail(fault);
    const original = path.join(folder, 'data/files/images/1');
    await mkdir(path.dirname(original), { recursive: true });
    await writeFile(original, 'x');
    const move = await runStoreProgram(['files', 'move', 'bucket', '--delete'], settings);
    expect([move.code, move.stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(message)]]);
    const doctor = await runStoreProgram(['doctor'], settings);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(message)]);
    const left = await runStoreProgram(['files', 'move', 'disk'], settings);
    expect(left.code).toBe(1);
  },
);

test('a store starts beside a bucket that never answers', async () => {
  const store = await startProgram(settings);
  expect(store.output()).toContain('cannot be reached (TimeoutError)');
  expect((await fetch(`${store.url}/health/ready`)).status).toBe(200);
});
