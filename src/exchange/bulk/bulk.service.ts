import { findUserId } from '../../access/actor';
import { applyPriceRows } from '../../catalog/variants/price-rows';
import { notifyOrdersAs } from '../../inventory/backorders';
import { applyStockRows } from '../../inventory/stock-items/stock-rows';
import { applyParsed, countOutcomes, RolledBack, type RowOutcome } from '../../platform/batch';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { BatchRefused } from '../../platform/errors';
import type { Ctx } from '../context';
import type { BulkPrices, BulkResultJson, BulkStock } from './bulk.schema';

/**
 * Sets and adjusts counts on hand, all or none unless `partial`. Arriving stock fills backorders. Locks as
 * `applyStockRows`.
 * @throws BatchRefused with the results, if a row is wrong
 */
export async function changeStock(ctx: Ctx, { rows, partial }: BulkStock): Promise<BulkResultJson> {
  return runBatch(ctx, partial === true, (tx) => {
    const onFilled = notifyOrdersAs(ctx, tx, findUserId(ctx.actor));
    return applyParsed(rows, (valid) => applyStockRows(tx, valid, { action: 'bulk', onFilled }));
  });
}

/** Sets prices, all or none unless `partial`. Locks the products by id. @throws BatchRefused as `changeStock` */
export async function changePrices(ctx: Ctx, { rows, partial }: BulkPrices): Promise<BulkResultJson> {
  return runBatch(ctx, partial === true, (tx) => applyParsed(rows, (valid) => applyPriceRows(tx, valid)));
}

async function runBatch(
  ctx: Ctx,
  isPartial: boolean,
  work: (tx: Tx) => Promise<RowOutcome[]>,
): Promise<BulkResultJson> {
  try {
    return await withTransaction(ctx, async (tx) => {
      const outcomes = await work(tx);
      if (!isPartial && countOutcomes(outcomes).failed > 0) throw new RolledBack(outcomes);
      return buildResult(outcomes);
    });
  } catch (error) {
    if (error instanceof RolledBack) throw new BatchRefused(buildRefusedResult(error.outcomes));
    throw error;
  }
}

function buildResult(outcomes: readonly RowOutcome[]): BulkResultJson {
  const results = outcomes.map((outcome, index) =>
    outcome.status === 'failed'
      ? { index, ok: false, errors: outcome.errors }
      : { index, ok: true, id: outcome.id },
  );
  return { results, ...countOutcomes(outcomes) };
}

/** Builds the result of a batch of which nothing was written. */
function buildRefusedResult(outcomes: readonly RowOutcome[]): BulkResultJson {
  const { results, changed, unchanged, failed } = buildResult(outcomes);
  const withoutIds = results.map(({ index, ok, errors }) => (ok ? { index, ok } : { index, ok, errors }));
  return { results: withoutIds, changed: 0, unchanged: unchanged + changed, failed };
}
