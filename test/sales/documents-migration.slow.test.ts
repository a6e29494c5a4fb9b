import * as documents from '../../migrations/20261122_1910_documents';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { runSteps } from '../support/migrations';
import { createSampleShop } from './damages/sample-shop';

const read = async () =>
  testDb()('documents')
    .orderBy(['order_id', 'kind', 'refund_id'])
    .select('order_id', 'refund_id', 'kind', 'total', 'currency', 'store_id');

test('existing orders and refunds get the documents that new ones have, and numbering goes on', async () => {
  await createSampleShop();
  // Refunds of canceled orders and of changed orders have the same total; invoices print the orders of today.
  const before = await read();
  await runSteps(documents.down);
  await runSteps(documents.up);
  const today = await testDb()('orders').whereNotNull('completed_at').orderBy('id').select('id', 'total');
  const after = await read();
  expect(after.map(({ order_id, refund_id, kind }) => [order_id, refund_id, kind])).toEqual(
    before.map(({ order_id, refund_id, kind }) => [order_id, refund_id, kind]),
  );
  expect(
    after.filter(({ kind }) => kind === 'invoice').map(({ order_id, total }) => ({ id: order_id, total })),
  ).toEqual(today);
  await createSampleShop();
  await expectNoViolations();
}, 120_000);
