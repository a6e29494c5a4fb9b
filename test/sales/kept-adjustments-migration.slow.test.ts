import * as keptAdjustments from '../../migrations/20261122_1110_kept_adjustments';
import * as returnItems from '../../migrations/20261122_1120_return_items';
import * as untaxedParts from '../../migrations/20261127_2010_untaxed_parts_of_returns';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { runSteps } from '../support/migrations';
import { createSampleShop } from './damages/sample-shop';

/** The columns that the migrations fill, without the order of new ids. */
async function readKept(): Promise<unknown[]> {
  const db = testDb();
  const { rows: adjustments } = await db.raw(
    `SELECT id, amount, trim_scale(rate) AS rate, trim_scale(included_rates) AS included_rates, action_type,
            trim_scale(percent) AS percent, sold_amount, sold_base, included_tax, additional_tax
       FROM adjustments ORDER BY id`,
  );
  const items = await db('return_items')
    .orderBy(['return_authorization_id', 'line_item_id'])
    .select('return_authorization_id', 'line_item_id', 'quantity', 'price', 'amount', 'additional_tax');
  const returns = await db('return_authorizations')
    .orderBy('id')
    .select('id', 'amount', 'amount_is_explicit');
  const orders = await db('orders').orderBy('id').select('id', 'state', 'total', 'additional_tax_total');
  return [adjustments, items, returns, orders];
}

test('existing adjustments and returns get the terms that new ones have', async () => {
  await createSampleShop();
  const before = await readKept();
  // Documents of a sale are made from tables that the migrations drop here.
  await testDb().raw('ALTER TABLE orders DISABLE TRIGGER orders_documented');
  await runSteps(untaxedParts.down);
  await runSteps(returnItems.down);
  await runSteps(keptAdjustments.down);
  await runSteps(keptAdjustments.up);
  await runSteps(returnItems.up);
  await runSteps(untaxedParts.up);
  await testDb().raw('ALTER TABLE orders ENABLE TRIGGER orders_documented');
  expect(await readKept()).toEqual(before);
  await expectNoViolations();
}, 120_000);
