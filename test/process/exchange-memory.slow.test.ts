import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ImportJson } from '../../src/exchange/imports/imports.schema';
import { anAdmin } from '../support/accounts.factory';
import { ensureTestDatabase, testDb } from '../support/database';
import { aSellableVariant } from '../support/orders.factory';
import { killPrograms, startProgram } from '../support/program';
import { aStockItem } from '../support/stock.factory';
import { unique } from '../support/unique';

const ROOT = path.resolve(__dirname, '../..');
const ROWS = 100_000;
/** Each order takes some twenty statements, so that 100,000 of them take a quarter of an hour. */
const ORDERS = Number(process.env.IMPORTED_ORDERS ?? 300);
const LIMIT_KIB = 300 * 1024;

/** Only Linux tells how much memory a process used at most. */
const testOnLinux = existsSync('/proc/self/status') ? test : test.skip;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-memory-'));
});
afterAll(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `store` and returns its exit code, its output, and the most memory that it used, in KiB. */
async function runMeasured(argv: readonly string[]) {
  const child = spawn(process.execPath, ['bin/store.js', ...argv], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: await ensureTestDatabase(),
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const closed = once(child, 'close');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    await wait(50);
  }
  await closed;
  return { code: child.exitCode, stdout, peak };
}

testOnLinux('an import of 100,000 rows takes less than 300 MB', async () => {
  const { variant_id, stock_location_id } = await aStockItem();
  const file = path.join(folder, 'stock.csv');
  const row = `${variant_id},${stock_location_id},1\n`;
  writeFileSync(file, `variant_id,stock_location_id,adjust\n${row.repeat(ROWS)}`);

  const { code, stdout, peak } = await runMeasured(['import', 'stock', file, '--dry-run']);

  expect(stdout).toContain('100000 rows, 100000 valid');
  expect(code).toBe(0);
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(LIMIT_KIB);
});

testOnLinux(
  `an import of ${ORDERS} old orders takes less than 300 MB (IMPORTED_ORDERS)`,
  async () => {
    const sku = unique('OLD');
    await aSellableVariant({ stock: 1, product: { sku } });
    const file = path.join(folder, 'orders.csv');
    const rows = Array.from(
      { length: ORDERS },
      (_, at) => `W${at},old-${at}@example.com,2020-01-02T10:00:00Z,${sku},1,10.50,4.90,15.40\n`,
    );
    writeFileSync(file, `number,email,completed_at,sku,quantity,price,ship_total,total\n${rows.join('')}`);

    const { code, stdout, peak } = await runMeasured(['import', 'orders', file, '--dry-run']);

    expect(stdout).toContain(`${ORDERS} rows, ${ORDERS} valid`);
    expect(code).toBe(0);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(LIMIT_KIB);
  },
  30 * 60_000,
);

testOnLinux('an import inside a running store keeps no rows in memory', async () => {
  const { token } = await anAdmin();
  const headers = { 'X-Store-Token': token };
  const settings = { DATABASE_URL: await ensureTestDatabase(), DATA_DIR: folder, SEED: 'none' };
  const { url, child, exited } = await startProgram(settings);
  const readPeak = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0);
  try {
    const text = 'A description of the product, about as long as many are in the file of a supplier.';
    const rows = Array.from(
      { length: 40_000 },
      (_, at) => `imported-${at},Imported ${at},${text},IMPORTED-${at},10.50,2026-01-01\n`,
    );
    const body = new FormData();
    body.set('kind', 'products');
    body.set('dry_run', 'true');
    body.set('file', new Blob(['slug,name,description,sku,price,available_on\n', ...rows]), 'products.csv');
    const made = await fetch(`${url}/api/v1/imports`, { method: 'POST', headers, body });
    const { id } = (await made.json()) as { id: number };
    let peakOfFirst: number | null = null;
    for (;;) {
      const reply = await fetch(`${url}/api/v1/imports/${id}`, { headers });
      const { state, checked, problem } = (await reply.json()) as ImportJson;
      expect(problem).toBeNull();
      if (checked >= 5_000) peakOfFirst ??= readPeak();
      if (state === 'done') break;
      await wait(100);
    }
    // Of 100,000 rows, 300 MB for all of the process.
    expect(readPeak()).toBeLessThan(LIMIT_KIB);
    expect(readPeak() - (peakOfFirst ?? 0)).toBeLessThan(40 * 1024);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
});

testOnLinux('an export of 100,000 rows takes less than 300 MB', async () => {
  await testDb().raw(
    `INSERT INTO users (email, password_digest)
       SELECT 'exported-' || n || '@example.com', 'none' FROM generate_series(1, ?::integer) AS n`,
    [ROWS],
  );
  try {
    const file = path.join(folder, 'customers.csv');

    const { code, peak } = await runMeasured(['export', 'customers', file]);

    expect(code).toBe(0);
    const exported = readFileSync(file, 'utf8').match(/^.*exported-\d+@example\.com/gm);
    expect(exported).toHaveLength(ROWS);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(LIMIT_KIB);
  } finally {
    await testDb()('users').whereLike('email', 'exported-%').delete();
  }
});
