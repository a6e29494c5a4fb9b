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
