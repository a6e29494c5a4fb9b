import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import type { ShipmentRow } from '../order/order-graph';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import { ownShipmentSearch, shipmentSearch } from './shipments.search';

/** The ids of a shipment and of its order. */
export interface ShipmentKey {
  id: number;
  order_id: number;
}

/** Returns the shipment with this number, or the one that had it before. */
export async function findShipmentKey(db: Db, number: string): Promise<ShipmentKey | undefined> {
  const { rows } = await db.raw<{ rows: ShipmentKey[] }>(
    `SELECT id, order_id FROM shipments
      WHERE id = coalesce((SELECT id FROM shipments WHERE number = ?),
                          (SELECT shipment_id FROM shipment_numbers WHERE number = ?))`,
    [number, number],
  );
  return rows[0];
}

/** Finds the shipments with these current or former numbers, in their order; undefined for a number without one. */
export async function findShipmentKeys(
  db: Db,
  numbers: readonly string[],
): Promise<(ShipmentKey | undefined)[]> {
  const { rows } = await db.raw<{ rows: (ShipmentKey & { wanted: string })[] }>(
    `SELECT named.number AS wanted, s.id, s.order_id
       FROM (SELECT DISTINCT unnest(?::text[]) AS number) AS named
       LEFT JOIN shipments own ON own.number = named.number
       LEFT JOIN shipment_numbers former ON former.number = named.number
       JOIN shipments s ON s.id = coalesce(own.id, former.shipment_id)`,
    [[...numbers]],
  );
  const keys = new Map(rows.map(({ wanted, ...key }) => [wanted, key]));
  return numbers.map((number) => keys.get(number));
}

/** Returns one page of the shipments of a user's orders. */
export async function findOwnShipmentPage(
  db: Db,
  userId: number,
  list: ListQuery,
): Promise<Page<ShipmentKey>> {
  const own = db('shipments').whereIn(
    'shipments.order_id',
    db('orders').select('id').where({ user_id: userId }),
  );
  return findKeyPage(db, applyFilters(own, list, ownShipmentSearch), list, ownShipmentSearch);
}

/** Returns one page of all shipments. */
export async function findShipmentPage(db: Db, list: ListQuery): Promise<Page<ShipmentKey>> {
  return findKeyPage(db, applyFilters(db('shipments'), list, shipmentSearch), list, shipmentSearch);
}

async function findKeyPage(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  search: SearchDefinition,
): Promise<Page<ShipmentKey>> {
  const select = (shipments: Knex.QueryBuilder) =>
    shipments.select<ShipmentKey[]>('shipments.id', 'shipments.order_id');
  return findRowPage(db, { matching, select }, list, search);
}

/**
 * Reserves another number for a shipment, whose old number remains valid.
 * @returns false if another shipment has or had the number; the transaction must then be rolled back
 */
export async function reserveShipmentNumber(
  tx: Tx,
  shipment: Pick<ShipmentRow, 'id' | 'number'>,
  number: string,
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `INSERT INTO shipment_numbers (number, shipment_id) VALUES (?, ?), (?, ?)
     ON CONFLICT (number) DO UPDATE SET shipment_id = EXCLUDED.shipment_id
       WHERE shipment_numbers.shipment_id = EXCLUDED.shipment_id
     RETURNING number`,
    [shipment.number, shipment.id, number, shipment.id],
  );
  return rows.length === 2;
}
