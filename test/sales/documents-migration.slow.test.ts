import * as contents from '../../migrations/20261123_7020_document_contents';
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

test('documents of the version before get entries, and orders that differ from theirs a correction', async () => {
  await createSampleShop();
  const before = await sumDocuments();
  await runSteps(contents.down);
  await runSteps(contents.up);
  expect(await sumDocuments()).toEqual(before);
  await expectNoViolations();
  await createSampleShop();
  await expectNoViolations();
}, 120_000);

test('orders that are sold, refunded and canceled before their documents are filled are documented once', async () => {
  const shop = await createSampleShop();
  await runSteps(contents.down);
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
  expect(await listChanged()).toEqual(changed);
  await expectNoViolations();
}, 120_000);
