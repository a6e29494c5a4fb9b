import * as contents from '../../migrations/20261123_7020_document_contents';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { runSteps } from '../support/migrations';
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
