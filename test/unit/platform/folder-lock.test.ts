import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lockFile } from '../../../src/platform/database/embedded/folder-lock';
import { StartupError } from '../../../src/platform/startup-error';

const folder = mkdtempSync(path.join(os.tmpdir(), 'store-lock-'));
const file = path.join(folder, 'lock');
const lock = () => lockFile(file, (holder) => `taken by ${holder}`);
afterAll(() => rmSync(folder, { recursive: true }));

test('a full disk is reported as such, and leaves the file unlocked', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const write = jest.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw full;
  });
  expect(lock).toThrow(new StartupError(`The disk of ${folder} is full: free disk space`));
  write.mockRestore();

  const unlock = lock();
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`);
  expect(lock).toThrow(`taken by ${process.pid}`);
  unlock();
});
