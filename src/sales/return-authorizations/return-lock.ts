import { markAsLocked, type Locked } from '../../platform/database/locked';
import type { OrderCredentials } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { IdOrName } from '../../platform/http/path-parameters';
import { splitCounted } from '../fulfilment/counted-units';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { findReturnAuthorization, type ReturnAuthorizationRow } from './return-authorizations.repository';
import { findReturnItems, type ReturnItemRow } from './return-items.repository';
import { tallyUnits, type UnitTally } from './returned-units.repository';

/** The path of a return: the number of its order, and its own id or number. */
export interface ReturnPath {
  number: string;
  id: IdOrName;
}

/** A return with its order and all units of the order, read under the order's lock. */
export interface LockedReturn {
  order: LockedOrderGraph;
  authorization: Locked<ReturnAuthorizationRow>;
  units: UnitTally[];
  /** The items of all returns of the order. */
  items: ReturnItemRow[];
}

/**
 * Locks the order of a return, which locks the return too: every writer of returns locks the order first. With
 * `receives`, orders whose backorders the returned units may fill are also locked, all by id.
 * @throws NotFound, NotAuthorized, PaymentInProgress
 */
export async function lockReturn(
  tx: Tx,
  credentials: OrderCredentials,
  path: ReturnPath,
  { receives }: { receives: boolean },
): Promise<LockedReturn> {
  const restocks = async ({ id }: { id: number }) => {
    const authorization = await getReturn(tx, id, path.id);
    return listReturnRestock(authorization, await tallyUnits(tx, id), await findReturnItems(tx, id));
  };
  const key = { number: path.number, credentials };
  const order = await lockOrder(tx, key, receives ? { restocks } : {});
  const authorization = markAsLocked(await getReturn(tx, order.id, path.id));
  const units = await tallyUnits(tx, order.id);
  return { order, authorization, units, items: await findReturnItems(tx, order.id) };
}

/** Returns the return authorization of the order with this id or number. @throws NotFound */
export async function getReturn(db: Db, orderId: number, id: IdOrName): Promise<ReturnAuthorizationRow> {
  const authorization = await findReturnAuthorization(db, orderId, id);
  if (authorization === undefined) throw new NotFound();
  return authorization;
}

/**
 * Lists the stock changes of the shipped units of a return at its location. Units that are not to be restocked have a
 * movement of quantity 0.
 */
export function listReturnRestock(
  authorization: Pick<ReturnAuthorizationRow, 'id' | 'stock_location_id'>,
  units: readonly UnitTally[],
  items: readonly ReturnItemRow[],
): PlacedChange[] {
  const unsellable = items.filter(
    (item) => item.return_authorization_id === authorization.id && !item.restock,
  );
  const isRestocked = (unit: UnitTally): boolean =>
    !unsellable.some(({ line_item_id }) => line_item_id === unit.line_item_id);
  const place = {
    stock_location_id: authorization.stock_location_id,
    originator: { type: 'Store::ReturnAuthorization' as const, id: authorization.id },
  };
  return listHeldUnits(authorization, units).flatMap((held): PlacedChange[] => {
    const { variant_id } = held;
    if (!isRestocked(held)) return [{ ...place, variant_id, quantity: 0, action: 'not restocked' }];
    return splitCounted(held).map((part) => ({ ...place, variant_id, ...part, action: 'returned' }));
  });
}

/** Lists the shipped units on a return. */
export function listHeldUnits(
  authorization: Pick<ReturnAuthorizationRow, 'id'>,
  units: readonly UnitTally[],
): UnitTally[] {
  return units.filter(
    (unit) => unit.return_authorization_id === authorization.id && unit.state === 'shipped',
  );
}
