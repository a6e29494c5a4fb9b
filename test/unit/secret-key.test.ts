import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartupError } from '../../src/platform/startup-error';
import { loadSecretKey } from '../../src/boot/secret-key';

let dataDir: string;
beforeEach(() => (dataDir = path.join(mkdtempSync(path.join(os.tmpdir(), 'store-secret-')), 'data')));
afterEach(() => rmSync(path.dirname(dataDir), { recursive: true }));

const file = () => path.join(dataDir, 'secret_key');

test('is created at the first start, readable by its owner only, and reused at the next', async () => {
  const first = await loadSecretKey({ secretKey: null, dataDir });
  expect(first).toHaveLength(32);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret_key']);
  expect(await loadSecretKey({ secretKey: null, dataDir })).toEqual(first);
});

test('concurrent starts all use the key that is stored', async () => {
  const secrets = await Promise.all([1, 2, 3].map(() => loadSecretKey({ secretKey: null, dataDir })));
  for (const secret of secrets) expect(secret).toEqual(readFileSync(file()));
});

test('SECRET_KEY takes precedence and writes no file', async () => {
  const named = await loadSecretKey({ secretKey: 'correct horse battery', dataDir });
  expect(named).toEqual(await loadSecretKey({ secretKey: 'correct horse battery', dataDir: '/elsewhere' }));
  expect(named).not.toEqual(await loadSecretKey({ secretKey: 'correct horse batterx', dataDir }));
  expect(() => statSync(dataDir)).toThrow('ENOENT');
});

test('a damaged file is reported, not replaced', async () => {
  await loadSecretKey({ secretKey: null, dataDir });
  writeFileSync(file(), 'short');
  await expect(loadSecretKey({ secretKey: null, dataDir })).rejects.toThrow(StartupError);
  expect(readFileSync(file(), 'utf8')).toBe('short');
});
