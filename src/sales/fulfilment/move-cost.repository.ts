import type { Tx } from '../../platform/database/transaction';
import { compareDecimals } from '../../platform/money';
import type { ShipmentGraph } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';

/**
 * Moves the cost of a shipment, and its taxes and discounts, to another one of the same complete order. Adjustments of
 * the same source are added up, and keep their sum for as long as the cost stays: calculated from the sum of the costs,
 * a tax could differ by a cent. Delete the emptied shipment afterwards. Three statements.
 */
export async function moveCost(
  tx: Tx,
  order: LockedOrder,
  { from: { id: from, cost }, to }: { from: Pick<ShipmentGraph, 'id' | 'cost'>; to: number },
): Promise<void> {
  await tx.raw(
    `UPDATE shipments target SET cost = target.cost + source.cost, fixed_cost = target.cost + source.cost
       FROM shipments source
      WHERE target.id = ? AND source.id = ? AND target.order_id = ? AND source.order_id = target.order_id`,
    [to, from, order.id],
  );
  await tx.raw(
    `WITH merged AS (
       UPDATE adjustments own SET amount = moved.amount + CASE WHEN own.eligible THEN own.amount ELSE 0 END,
              eligible = true
         FROM adjustments moved
        WHERE own.order_id = :order AND own.shipment_id = :to
          AND moved.order_id = :order AND moved.shipment_id = :from AND moved.eligible
          AND own.source_type = moved.source_type AND own.source_id = moved.source_id
        RETURNING moved.id)
     UPDATE adjustments SET shipment_id = :to
      WHERE order_id = :order AND shipment_id = :from AND eligible AND id NOT IN (SELECT id FROM merged)`,
    { order: order.id, from, to },
  );
  if (compareDecimals(cost, '0') > 0) await keepAmounts(tx, order, to);
}

/**
 * Lets the adjustments of a shipment of a complete order keep their amounts for as long as its cost stays. One statement.
 */
export async function keepAmounts(tx: Tx, order: LockedOrder, shipmentId: number): Promise<void> {
  await tx.raw(
    `UPDATE adjustments own SET sold_amount = own.amount, sold_base = base.amount,
            percent = CASE WHEN own.percent IS NULL OR base.amount = 0 THEN own.percent
                           ELSE round(-own.amount * 100 / base.amount, 10) END
       FROM shipments
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount), 0) AS untaxed FROM adjustments
         WHERE shipment_id = shipments.id AND (source_type = 'Store::PromotionAction' OR taxed) AND eligible) others
      CROSS JOIN LATERAL (VALUES ('Store::TaxRate', shipments.cost + untaxed),
                                 ('Store::PromotionAction', shipments.cost)) base(source_type, amount)
      WHERE own.order_id = :order AND own.shipment_id = :shipment AND own.eligible AND shipments.id = own.shipment_id
        AND base.source_type = own.source_type`,
    { order: order.id, shipment: shipmentId },
  );
}
