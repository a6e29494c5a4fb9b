import { buildProgramActor } from '../../access/actor';
import { notifyOrdersAs } from '../../inventory/backorders';
import { buildFailure, type RowOutcome } from '../../platform/batch';
import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { applySoldOrders, OTHER_ROW } from '../../sales/orders/order-rows';
import type { SoldRow } from '../../sales/orders/sold-rows';
import type { Deps } from '../context';
import { OrderCells, toSoldRow } from '../rows/order-rows.schema';
import { parseRow } from '../rows/row-fields';

/** Imports the orders of rows, each as a whole or not at all. `keyOf` returns the order of a row. */
export async function applyOrderCells<Cells>(
  tx: Tx,
  rows: readonly Cells[],
  { deps, user_id, keyOf }: { deps: Deps; user_id: number | null; keyOf: (cells: Cells) => string },
): Promise<RowOutcome[]> {
  const parsed = rows.map((cells) => ({ key: keyOf(cells), row: parseRow(OrderCells, cells) }));
  const groups = [...groupBy(parsed, ({ key }) => key).values()].map((group) => group.map(({ row }) => row));
  const read = groups.map((group) => {
    const valid = group.flatMap((row): SoldRow[] => ('row' in row ? [toSoldRow(row.row)] : []));
    return { group, sold: valid.length === group.length ? valid : null };
  });
  const editor = {
    // Who sent the file was permitted to import it.
    actor: buildProgramActor(user_id),
    orderToken: null,
    now: deps.now,
    secret: deps.secret,
    onBackordersFilled: notifyOrdersAs(deps, tx, user_id),
  };
  const applied = await applySoldOrders(
    tx,
    read.flatMap(({ sold }) => (sold === null ? [] : [sold])),
    { editor, user_id },
  );
  let next = 0;
  return read.flatMap(({ group, sold }) =>
    sold === null
      ? group.map((row) => buildFailure('errors' in row ? row.errors : OTHER_ROW))
      : (applied[next++] ?? []),
  );
}
