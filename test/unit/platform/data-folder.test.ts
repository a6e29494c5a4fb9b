import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDataFolder } from '../../../src/platform/data-folder';

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'store-data-folder-')));
});

afterEach(() => rmSync(place, { recursive: true }));

test('is created with its parents, and is reused', () => {
  const folder = path.join(place, 'a', 'b', 'c');
  expect(openDataFolder(folder)).toBe(folder);
  expect(openDataFolder(path.join(folder, '..', 'c'))).toBe(folder);
});

test('may be a relative path or a link', () => {
  const folder = path.join(place, 'real');
  expect(openDataFolder(path.relative(process.cwd(), folder))).toBe(folder);
  symlinkSync(folder, path.join(place, 'link'));
  expect(openDataFolder(path.join(place, 'link'))).toBe(folder);
});

test('fails with one line if the path or a parent is a file', () => {
  const file = path.join(place, 'file');
  writeFileSync(file, '');
  for (const folder of [file, path.join(file, 'below')])
    expect(() => openDataFolder(folder)).toThrow(
      /^DATA_DIR \S+ is not a writable folder \((EEXIST|ENOTDIR)\): make it writable for this user, or set another/,
    );
});

// The recursive mkdir of Node never returns there.
(existsSync('/proc/self') ? test : test.skip)('fails where the system does not allow folders', () => {
  expect(() => openDataFolder('/proc/store/data')).toThrow(/^DATA_DIR \/proc\/store\/data is not a writable/);
});
