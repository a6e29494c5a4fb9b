import type { FilledBackorders } from '../../inventory/context';
import type { Tx } from '../../platform/database/transaction';
import { updateFilledOrders } from '../order-updater/filled-backorders';
import { fillUnitStates } from './unit-states';

/**
 * Puts the units that arrived stock fills on hand and updates their orders. Inventory calls it as
 * `Deps.onBackordersFilled`, with the orders locked.
 */
export async function fillBackorders(tx: Tx, filled: FilledBackorders): Promise<void> {
  await fillUnitStates(
    tx,
    filled.units.map(({ id }) => id),
  );
  await updateFilledOrders(tx, filled);
}
