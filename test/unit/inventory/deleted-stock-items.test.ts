import { deleteStockItems } from '../../../src/inventory/stock-ledger.repository';
import type { Tx } from '../../../src/platform/database/transaction';

test('stock items are deleted in batches until one is not full', async () => {
  const counts = [20_000, 20_000, 7];
  const raw = jest.fn(() => Promise.resolve({ rowCount: counts.shift() ?? 0 }));
  // Only this is called; so many items are too many for a test.
  const tx = { raw } as unknown as Tx;
  const by = { user_id: null, now: new Date() };
  expect(await deleteStockItems(tx, { stock_location_id: 1 }, by)).toBe(40_007);
  expect(raw).toHaveBeenCalledTimes(3);
});
