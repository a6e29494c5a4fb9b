import type { FilledBackorders } from '../../inventory/context';
import type { Tx } from '../../platform/database/transaction';
import { updateFilledOrders } from '../order-updater/filled-backorders';
import { fillUnitStates } from './unit-states';

/** Puts the units that arrived stock fills on hand and updates their orders: `Deps.onBackordersFilled` of inventory. */
export async function fillBackorders(tx: Tx, filled: FilledBackorders): Promise<void> {
  await fillUnitStates(tx, filled.units);
  await updateFilledOrders(tx, filled);
}
