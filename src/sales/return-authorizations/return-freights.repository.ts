import type { Locked, LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import type { BoundStatement } from '../../platform/database/prepared';

/** What a received return credits of the freight of a shipment. Decimal strings. */
export interface ReturnFreightRow {
  shipment_id: number;
  amount: string;
  /** The part of it that is adjustments without tax. */
  untaxed: string;
  included_tax: string;
  additional_tax: string;
}

/** What the returns of an order have credited of the freight of a shipment; null for those that are gone. */
export type CreditedFreightRow = Omit<ReturnFreightRow, 'shipment_id' | 'untaxed'> & {
  shipment_id: number | null;
  /** Null if an earlier version has credited all of it. */
  untaxed: string | null;
};

/** Returns what the returns of an order have credited of its freight, by shipment. */
export async function sumReturnFreights(db: Db, orderId: number): Promise<CreditedFreightRow[]> {
  return db('return_freights as freight')
    .join('return_authorizations as returned', 'returned.id', 'freight.return_authorization_id')
    .where('returned.order_id', orderId)
    .groupBy('freight.shipment_id')
    .select<CreditedFreightRow[]>('freight.shipment_id')
    .sum({
      amount: 'freight.amount',
      untaxed: 'freight.untaxed',
      included_tax: 'freight.included_tax',
      additional_tax: 'freight.additional_tax',
    });
}

/** Returns the ids of the shipments that carried the units of a return. */
export async function findCarryingShipments(db: Db, { id }: LockedId): Promise<number[]> {
  return db('inventory_units')
    .where({ return_authorization_id: id })
    .distinct()
    .pluck<number[]>('shipment_id');
}

/** Builds the statement that stores what a return that is being received credits of freight, and how that is taxed now. */
export function buildReturnFreights(
  { id }: Locked<{ id: number }>,
  freights: readonly ReturnFreightRow[],
): BoundStatement {
  return { statement: INSERT_FREIGHTS, bindings: [JSON.stringify(freights), id] };
}

const INSERT_FREIGHTS = {
  name: 'insert_return_freights',
  sql: `INSERT INTO return_freights (return_authorization_id, shipment_id, amount, untaxed, included_tax, additional_tax, terms)
     SELECT returned.id, f.*, describe_freight(returned.order_id, f.shipment_id)
       FROM return_authorizations returned
      CROSS JOIN json_to_recordset(?::json)
            AS f(shipment_id integer, amount numeric, untaxed numeric, included_tax numeric, additional_tax numeric)
      WHERE returned.id = ?`,
};
