import { findUserId } from '../../access/actor';
import { applyPriceRows } from '../../catalog/variants/price-rows';
import { notifyOrdersAs } from '../../inventory/backorders';
import { applyStockRows } from '../../inventory/stock-items/stock-rows';
import { applyParsed, countOutcomes, RolledBack, type RowOutcome } from '../../platform/batch';
import { withTransaction, type Tx, type TransactionContext } from '../../platform/database/transaction';
import { BatchRefused } from '../../platform/errors';
import type { Ctx } from '../context';
import { applyDispatchRows, type DispatchBatch } from '../../sales/shipments/dispatch-rows';
import type { DispatchRow } from '../../sales/shipments/dispatch-rows.schema';
import { captureForDispatch } from '../../sales/shipments/capture-for-dispatch';
import { capturesOnDispatch } from '../../sales/shipments/dispatch-settings.repository';
import type { BulkPrices, BulkResultJson, BulkShipments, BulkStock } from './bulk.schema';

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

/**
 * Sets trackings and ships, all or none unless `partial`. If the store captures on dispatch, all rows are checked first,
 * then the payments are captured. Locks all orders by id.
 * @throws BatchRefused as `changeStock`; Unavailable if the gateway does not respond
 */
export async function shipParcels(ctx: Ctx, { rows, partial }: BulkShipments): Promise<BulkResultJson> {
  const user_id = findUserId(ctx.actor);
  const apply = (tx: Tx, more: Partial<DispatchBatch>) => {
    const batch = { at: ctx.now(), user_id, ...more };
    return applyParsed<DispatchRow>(rows, (valid) => applyDispatchRows(tx, valid, batch));
  };
  // Without the hooks of the request: its repetition must recall the results of the transactions below in their order.
  const trial = { db: ctx.db };
  if (partial !== true && (await capturesOnDispatch(ctx.db))) {
    await runBatch(trial, false, (tx) => apply(tx, { isTrial: true }), { isTrial: true });
  }
  const valid = rows.flatMap((parsed) => ('row' in parsed ? [parsed.row] : []));
  const declined = await captureForDispatch(ctx, valid, user_id);
  return runBatch(ctx, partial === true, (tx) => apply(tx, { declined }));
}

async function runBatch(
  ctx: TransactionContext,
  isPartial: boolean,
  work: (tx: Tx) => Promise<RowOutcome[]>,
  { isTrial = false } = {},
): Promise<BulkResultJson> {
  try {
    return await withTransaction(ctx, async (tx) => {
      const outcomes = await work(tx);
      const isRefused = !isPartial && countOutcomes(outcomes).failed > 0;
      if (isRefused || isTrial) throw new RolledBack(outcomes);
      return buildResult(outcomes);
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    const result = buildRefusedResult(error.outcomes);
    if (result.failed > 0) throw new BatchRefused(result);
    return result;
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
