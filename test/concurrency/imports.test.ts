import { Readable } from 'node:stream';
import { runImports } from '../../src/exchange/imports/run-import';
import { asAdmin } from '../support/accounts.factory';
import { testApp } from '../support/api';
import { uploadCsv } from '../support/csv';
import { testDb } from '../support/database';
import { waitUntilBlockedBy, waitUntilWaiting } from '../support/locks';
import { aStockedVariant, aStockLocation } from '../support/stock.factory';
import { unique } from '../support/unique';

test('a worker that loses its claim while it checks a slow batch leaves each error once', async () => {
  const location = await aStockLocation({ propagate_all_variants: true });
  const sku = unique('slow');
  await aStockedVariant({ sku });
  const csv = `sku,stock_location,adjust\n${sku},${location.name},1\n${unique('none')},${location.name},1\n`;
  const queued = (await uploadCsv('stock', csv, { dry_run: 'true' })).body;
  const { runs } = await testDb().transaction(async (holder) => {
    await holder.raw('LOCK TABLE stock_items IN ACCESS EXCLUSIVE MODE');
    const first = runImports(testApp().deps, { id: queued.id });
    await waitUntilBlockedBy(holder);
    // The claim expires, as that of a batch that takes longer than the lease.
    const expired = testDb()('imports')
      .where({ id: queued.id })
      .update({ claimed_until: new Date(0) })
      .then();
    await Promise.race([expired, waitUntilWaiting(2)]);
    const second = runImports(testApp().deps, { id: queued.id });
    await Promise.race([second, waitUntilWaiting(2)]);
    return { runs: [first, second, expired] };
  });
  await Promise.all(runs);
  await runImports(testApp().deps, { id: queued.id });
  const { body } = await (await asAdmin()).get(`/imports/${queued.id}/errors`);
  expect(body.errors).toHaveLength(1);
});

test('a worker that reads a large file for longer than its claim lasts keeps the import', async () => {
  const { deps } = testApp();
  const { id } = (await uploadCsv('stock', 'sku,stock_location,adjust\n', { dry_run: 'true' })).body;
  let now = new Date();
  let takenOver = -1;
  /** Reads for longer than the claim lasts; another worker looks for imports at the end. */
  async function* read(): AsyncGenerator<string> {
    yield 'sku,stock_location,adjust\n';
    await testDb()('imports')
      .where({ id })
      .update({ claimed_until: new Date(0) });
    now = new Date(now.getTime() + 11_000);
    // More than the streams between take in ahead, so that the worker has passed the first of these rows.
    for (let part = 0; part < 8; part++) yield 'none,none,1\n'.repeat(10_000);
    takenOver = await runImports(deps, { id });
  }
  const storage = {
    ...deps.storage,
    open: (key: string) =>
      takenOver < 0
        ? Promise.resolve({ stream: Readable.from(read(), { highWaterMark: 1 }), size: 0 })
        : deps.storage.open(key),
  };
  await runImports({ ...deps, now: () => now, storage }, { id });
  expect(takenOver).toBe(0);
  expect((await (await asAdmin()).get(`/imports/${id}`)).body.state).toBe('done');
});
