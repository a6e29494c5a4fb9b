import * as contents from '../../migrations/20261123_7020_document_contents';
import * as taxedAdjustments from '../../migrations/20261124_3020_taxed_adjustments';
import * as bookEntries from '../../migrations/20261124_4010_book_entries';
import { listSteps } from '../../src/platform/database/migrations/steps';
import { asAdmin } from '../support/accounts.factory';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { runSteps } from '../support/migrations';
import { orderInState } from '../support/orders.factory';
import { createSampleShop } from './damages/sample-shop';

const sumDocuments = async () =>
  testDb()('documents')
    .groupBy('order_id')
    .orderBy('order_id')
    .select(
      'order_id',
      testDb().raw(`sum(CASE kind WHEN 'credit_note' THEN -total ELSE total END) AS total`),
    );

/** Reverts the migration of documents, after the books, which build on it. */
async function revertDocuments(): Promise<void> {
  for (const { down } of [bookEntries, contents]) await runSteps(down);
}

/** Runs again what later migrations change of its functions, and enters all orders into the books. */
async function repeatLater(): Promise<void> {
  await runSteps(listSteps(taxedAdjustments.up).slice(-1));
  await runSteps(bookEntries.up);
}

test('documents of the version before get entries, and orders that differ from theirs a correction', async () => {
  await createSampleShop();
  const before = await sumDocuments();
  await revertDocuments();
  await runSteps(contents.up);
  await repeatLater();
  expect(await sumDocuments()).toEqual(before);
  await expectNoViolations();
  await createSampleShop();
  await expectNoViolations();
}, 120_000);

test('orders that are sold, refunded and canceled before their documents are filled are documented once', async () => {
  const shop = await createSampleShop();
  await revertDocuments();
  const steps = listSteps(contents.up);
  const fill = steps.findIndex((step) => typeof step !== 'function' && step.kind === 'batches');
  expect(fill).toBeGreaterThan(0);
  await runSteps(steps.slice(0, fill));

  const admin = await asAdmin();
  const unpaid = await testDb()('orders').where({ id: shop.unpaid }).first('number');
  expect(await admin.put(`/orders/${unpaid.number}/cancel`)).toMatchObject({ status: 200 });
  const paid = await testDb()('payments').where({ order_id: shop.paid, state: 'completed' }).first('id');
  const { number } = await testDb()('orders').where({ id: shop.paid }).first('number');
  const credit = await admin.put(`/orders/${number}/payments/${paid.id}/credit`, { amount: 2 });
  expect(credit).toMatchObject({ status: 200 });
  const sold = await orderInState('complete');
  const listChanged = () =>
    testDb()('documents')
      .whereIn('order_id', [shop.unpaid, shop.paid, sold.id])
      .orderBy('id')
      .select('kind', 'total', 'entries');
  const changed = await listChanged();
  expect(changed.map(({ kind }) => kind).toSorted()).toEqual([
    ...['credit_note', 'credit_note', 'credit_note', 'invoice', 'invoice', 'invoice'],
  ]);
  expect(changed.map(({ entries }) => entries)).not.toContain(null);
  expect(await testDb()('documents').where({ order_id: shop.shipped }).pluck('entries')).toEqual([null]);

  await runSteps(steps.slice(fill));
  await repeatLater();
  expect(await listChanged()).toEqual(changed);
  await expectNoViolations();
}, 120_000);
