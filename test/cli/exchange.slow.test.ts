import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runStoreCommand } from '../support/command-line';
import { ensureTestDatabase, testDb } from '../support/database';
import { aStockItem } from '../support/stock.factory';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-exchange-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...argv: string[]) {
  return runStoreCommand(argv, { DATABASE_URL: await ensureTestDatabase(), DATA_DIR: folder });
}

describe('export and import', () => {
  test('write a file, and read it again with progress on stderr', async () => {
    const item = await aStockItem({ count_on_hand: 3 });
    const file = path.join(folder, 'stock.csv');
    expect(await run('export', 'stock', file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 records'),
    });
    const csv = await readFile(file, 'utf8');
    expect(await run('export', 'stock')).toMatchObject({ code: 0, stdout: csv });

    await writeFile(file, csv.replace(',3,', ',8,'));
    const dry = await run('import', 'stock', file, '--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 rows, 1 valid (1 changed, 0 unchanged)'),
    });
    expect((await testDb()('stock_items').where({ id: item.id }).first()).count_on_hand).toBe(3);
    const done = await run('import', 'stock', file, '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({ state: 'done', changed: 1, errors: [] });
    expect(done.stderr).toContain('rows written 1 of 1');
    const entries = await testDb()('audit_log').where({ user_email: 'command line' }).orderBy('id');
    expect(entries.map(({ subject_type }) => subject_type)).toEqual(
      expect.arrayContaining(['Store::Import', 'Store::StockItem', 'Store::StockMovement']),
    );
    expect((await testDb()('stock_items').where({ id: item.id }).first()).count_on_hand).toBe(8);
  });

  test('list wrong rows with exit code 1', async () => {
    const file = path.join(folder, 'prices.csv');
    await writeFile(file, 'sku,price\nno-such-sku,1\n');
    const failed = await run('import', 'prices', file);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('line 2: sku does not exist\nNothing was written.');
    expect(await run('import', 'prices', path.join(folder, 'none.csv'))).toMatchObject({ code: 1 });
  });

  test('--since and --where filter', async () => {
    const { stdout } = await run('export', 'movements', '--since', '2999-01-01');
    expect(stdout.split('\n')).toHaveLength(2);
    const wrong = await run('export', 'orders', '--where', 'token_hash_eq=x');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('token_hash_eq') });
    expect(await run('export', 'orders', '--since', 'soon')).toMatchObject({ code: 2 });
  });
});
