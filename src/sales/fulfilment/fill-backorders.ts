import type { FilledBackorders } from '../../inventory/context';
import type { Tx } from '../../platform/database/transaction';
import { updateFilledOrders } from '../order-updater/filled-backorders';
import { fillUnitStates } from './unit-states';

/**
 * Puts the units that arrived stock fills on hand and brings their orders up to date. Inventory calls it as
 * `Deps.onBackordersFilled`; the orders are locked already.
 */
export async function fillBackorders(tx: Tx, filled: FilledBackorders): Promise<void> {
  await fillUnitStates(
    tx,
    filled.units.map(({ id }) => id),
  );
  await updateFilledOrders(tx, filled);
}
