import { composeStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { ShipmentGraph } from '../order/order-graph';

// The deselection comes first: the unique index on selected rates is checked row by row.
const SELECT_RATE = [
  'UPDATE shipping_rates SET selected = false WHERE shipment_id = ? AND selected AND id <> ?',
  'UPDATE shipping_rates SET selected = true WHERE shipment_id = ? AND id = ?',
].map(composeStatement);

const CHARGE = composeStatement('UPDATE shipments SET cost = ?, fixed_cost = ? WHERE id = ?');

/** Selects the rate of a shipment that is marked as selected, and writes the cost of the shipment. Does not wait. */
export function writeSelection(tx: Tx, { id, cost, fixed_cost, rates }: ShipmentGraph): void {
  const selected = rates.find((rate) => rate.selected)?.id ?? 0;
  for (const statement of SELECT_RATE) tx.write(statement, [id, selected]);
  tx.write(CHARGE, [cost, fixed_cost, id]);
}
