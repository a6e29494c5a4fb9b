import type { Knex } from 'knex';
import {
  inBatches,
  run,
  validate,
  type IdRange,
  type Steps,
} from '../src/platform/database/migrations/steps';

/**
 * Stores with each adjustment the rate or action it was made with, so that the adjustments of sold orders follow their line
 * items. Existing adjustments get the terms of their rate or action if these still give the stored amount, and else the
 * ratio of their amount to the amount of their line item or shipment.
 */
export const up: Steps = [
  run(`
    ALTER TABLE adjustments
      -- Of a tax: its rate, negative for the refund of an included tax, and the sum of the rates that its price includes.
      ADD COLUMN rate numeric,
      ADD COLUMN included_rates numeric,
      -- Of a discount: the type of its action; for a percentage, the percentage of its line item or shipment.
      ADD COLUMN action_type text CONSTRAINT adjustments_action_type_known
        CHECK (action_type IN ('order_percent', 'order_amount', 'line_percent', 'line_amount', 'free_shipping')),
      ADD COLUMN percent numeric,
      -- Of a discount of a completed order, at completion: its amount, and the amount of its line item or shipment.
      ADD COLUMN sold_amount numeric(20,2),
      ADD COLUMN sold_base numeric(20,2),
      -- Of the credit of a return: the taxes that it gives back.
      ADD COLUMN included_tax numeric(20,2),
      ADD COLUMN additional_tax numeric(20,2);

    -- A discount may become zero with its line item, and grow again.
    ALTER TABLE adjustments DROP CONSTRAINT adjustments_discount_negative;
    ALTER TABLE adjustments ADD CONSTRAINT adjustments_discount_negative
      CHECK (source_type <> 'Store::PromotionAction' OR amount <= 0) NOT VALID;
  `),
  validate('adjustments', 'adjustments_discount_negative'),
  inBatches('orders', fillTerms, { size: 2_500 }),
  run(`
    ALTER TABLE adjustments
      ADD CONSTRAINT adjustments_tax_has_rate CHECK
        (source_type <> 'Store::TaxRate' OR (rate IS NOT NULL AND included_rates >= 0)) NOT VALID,
      ADD CONSTRAINT adjustments_discount_has_action CHECK
        (source_type <> 'Store::PromotionAction' OR action_type IS NOT NULL) NOT VALID;
  `),
  validate('adjustments', 'adjustments_tax_has_rate'),
  validate('adjustments', 'adjustments_discount_has_action'),
];

/** Writes the terms of the adjustments of these orders. Their `updated_at` stays. */
async function fillTerms(knex: Knex, range: IdRange): Promise<void> {
  await knex.raw(`
    ALTER TABLE adjustments DISABLE TRIGGER adjustments_touch;
    ${fillDiscounts(range)}
    ${fillTaxes(range)}
    ALTER TABLE adjustments ENABLE TRIGGER adjustments_touch;
  `);
}

/** The amount of the line item or shipment of adjustment `a`. */
const PART = `
  coalesce((SELECT price * quantity FROM line_items WHERE id = a.line_item_id),
           (SELECT cost FROM shipments WHERE id = a.shipment_id), 0)`;

const fillDiscounts = ({ after, upTo }: IdRange): string => `
    UPDATE adjustments a
       SET action_type = coalesce(action.type, 'line_amount'), percent = action.percent
      FROM adjustments own LEFT JOIN promotion_actions action ON action.id = own.source_id
     WHERE own.id = a.id AND a.source_type = 'Store::PromotionAction'
       AND a.order_id > ${after} AND a.order_id <= ${upTo};
    UPDATE adjustments a
       SET sold_amount = a.amount, sold_base = ${PART},
           percent = CASE WHEN ${PART} = 0 OR a.action_type IN ('line_amount', 'order_amount') THEN a.percent
                          WHEN a.action_type = 'free_shipping' THEN 100
                          WHEN abs(-a.amount - ${PART} * a.percent / 100) <= 0.01 THEN a.percent
                          ELSE round(-a.amount * 100 / ${PART}, 10) END
     WHERE a.source_type = 'Store::PromotionAction' AND a.closed AND a.order_id > ${after} AND a.order_id <= ${upTo};`;

/** A tax without a rate that gives its amount keeps the ratio to its discounted line item or shipment. */
const fillTaxes = ({ after, upTo }: IdRange): string => `
    WITH bases AS (
      SELECT a.id, a.amount, a.included, r.amount AS rate, r.included_in_price,
             ${PART} + coalesce((SELECT sum(d.amount) FROM adjustments d
                                  WHERE d.source_type = 'Store::PromotionAction' AND d.eligible AND d.order_id = a.order_id
                                    AND (d.line_item_id = a.line_item_id OR d.shipment_id = a.shipment_id)), 0) AS base,
             coalesce((SELECT sum(other_rate.amount) FROM adjustments other
                         JOIN tax_rates other_rate ON other_rate.id = other.source_id AND other_rate.included_in_price
                        WHERE other.source_type = 'Store::TaxRate' AND other.order_id = a.order_id
                          AND (other.line_item_id = a.line_item_id OR other.shipment_id = a.shipment_id)), 0) AS included_rates
        FROM adjustments a LEFT JOIN tax_rates r ON r.id = a.source_id
       WHERE a.source_type = 'Store::TaxRate' AND a.order_id > ${after} AND a.order_id <= ${upTo}),
    terms AS (
      SELECT id, amount, base,
             CASE WHEN included_in_price AND NOT included THEN -rate ELSE rate END AS rate,
             CASE WHEN included_in_price THEN included_rates ELSE 0 END AS included_rates
        FROM bases)
    UPDATE adjustments a
       SET rate = CASE WHEN kept.stands THEN kept.rate WHEN kept.base = 0 THEN coalesce(kept.rate, 0)
                       ELSE round(kept.amount / kept.base, 15) END,
           included_rates = CASE WHEN kept.stands OR kept.base = 0 THEN coalesce(kept.included_rates, 0) ELSE 0 END
      FROM (SELECT terms.*, abs(amount - base * rate / (1 + included_rates)) <= 0.005 AS stands
              FROM terms) kept
     WHERE kept.id = a.id;`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DELETE FROM adjustments WHERE source_type IN ('Store::PromotionAction', 'Store::TaxRate') AND amount = 0;
    ALTER TABLE adjustments DROP CONSTRAINT adjustments_discount_negative;
    ALTER TABLE adjustments ADD CONSTRAINT adjustments_discount_negative
      CHECK (source_type <> 'Store::PromotionAction' OR amount < 0) NOT VALID;
  `);
  await validate('adjustments', 'adjustments_discount_negative')(knex);
  await knex.raw(`
    ALTER TABLE adjustments
      DROP CONSTRAINT adjustments_tax_has_rate,
      DROP CONSTRAINT adjustments_discount_has_action,
      DROP COLUMN rate, DROP COLUMN included_rates, DROP COLUMN action_type, DROP COLUMN percent,
      DROP COLUMN sold_amount, DROP COLUMN sold_base, DROP COLUMN included_tax, DROP COLUMN additional_tax;
  `);
}
