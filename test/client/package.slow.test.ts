import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

const USE = `
const store = createStoreClient({ baseUrl: 'http://127.0.0.1:1', retry: false });
export const failed = store.GET('/api/v1/products').then(() => 'replied', (error: Error) => error.message);
export const stateOf = (order: Order): Order['payment_state'] => order.payment_state;
`;

/** Installs the packed client in a fresh folder, as a user does. */
describe('the package of the client', () => {
  let project: string;

  beforeAll(() => {
    project = mkdtempSync(path.join(os.tmpdir(), 'store-package-'));
    execFileSync('npm', ['pack', '--pack-destination', project], {
      cwd: path.join(ROOT, 'client'),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [tarball = ''] = readdirSync(project);
    writeFileSync(path.join(project, 'package.json'), '{"private": true}');
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
      cwd: project,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  const node = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).trim();

  test('installs nothing else and contains only what it needs', () => {
    expect(readdirSync(path.join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'store-api-client',
    ]);
    const files = readdirSync(path.join(project, 'node_modules/store-api-client'));
    expect(files.sort()).toEqual(['README.md', 'dist', 'package.json']);
  });

  test('is imported', () => {
    const code =
      "import { createStoreClient, StoreError } from 'store-api-client'; console.log(typeof createStoreClient({ baseUrl: 'http://127.0.0.1:1' }).GET, StoreError.name)";
    expect(node('--input-type=module', '-e', code)).toBe('function StoreError');
  });

  test('is required', () => {
    const code =
      "const { createStoreClient, StoreError } = require('store-api-client'); console.log(typeof createStoreClient({ baseUrl: 'http://127.0.0.1:1' }).GET, StoreError.name)";
    expect(node('-e', code)).toBe('function StoreError');
  });

  test('has types for both', () => {
    const imports = "import { createStoreClient, type Order } from 'store-api-client';";
    writeFileSync(path.join(project, 'use.mts'), `${imports}\n${USE}`);
    writeFileSync(path.join(project, 'use.cts'), `${imports}\n${USE}`);
    const tsc = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict'];
    const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    const { stdout } = spawnSync(process.execPath, [...tsc, ...options, 'use.mts', 'use.cts'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});
