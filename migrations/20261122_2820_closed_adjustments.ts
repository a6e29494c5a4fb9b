import { inBatches, type Steps } from '../src/platform/database/migrations/steps';

/** The amount of the line item or shipment of adjustment `a`. */
const PART = `
  coalesce((SELECT price * quantity FROM line_items WHERE id = a.line_item_id),
           (SELECT cost FROM shipments WHERE id = a.shipment_id), 0)`;

/**
 * Closes the adjustments of completed orders that were made when line items added after completion, and imported
 * orders, kept theirs open. An open adjustment does not follow its line item. Discounts keep what closing notes.
 */
export const up: Steps = [
  inBatches(
    'orders',
    async (knex, { after, upTo }) => {
      await knex.raw(`
    UPDATE adjustments a
       SET closed = true,
           sold_amount = CASE WHEN a.source_type = 'Store::PromotionAction' THEN a.amount END,
           sold_base = CASE WHEN a.source_type = 'Store::PromotionAction' THEN ${PART} END,
           percent = CASE WHEN a.source_type IS DISTINCT FROM 'Store::PromotionAction' THEN a.percent
                          WHEN ${PART} = 0 OR a.action_type IN ('line_amount', 'order_amount') THEN a.percent
                          WHEN a.action_type = 'free_shipping' THEN 100
                          WHEN abs(-a.amount - ${PART} * a.percent / 100) <= 0.01 THEN a.percent
                          ELSE round(-a.amount * 100 / ${PART}, 10) END
      FROM orders o
     WHERE o.id = a.order_id AND o.id > ${after} AND o.id <= ${upTo} AND o.completed_at IS NOT NULL AND NOT a.closed;
  `);
    },
    { size: 5_000 },
  ),
];

/** Nothing to revert: the version before closes the adjustments of an order that completes, too. */
export async function down(): Promise<void> {}
