import { run, validate, type Steps } from '../src/platform/database/migrations/steps';

const IS_DISCOUNT = `a.source_type IS NOT DISTINCT FROM ''Store::PromotionAction'' AS is_discount`;
const IS_DISCOUNT_OR_TAXED = `(a.source_type IS NOT DISTINCT FROM ''Store::PromotionAction'' OR a.taxed) AS is_discount`;

/** Replaces a part of the function that lists what an order consists of. */
const replaceInPositions = (before: string, after: string): string => `
  DO $migration$
  DECLARE
    definition text := pg_get_functiondef('list_sold_positions(integer)'::regprocedure);
  BEGIN
    IF strpos(definition, '${before}') = 0 THEN
      RAISE EXCEPTION 'list_sold_positions lacks what this migration replaces';
    END IF;
    EXECUTE replace(definition, '${before}', '${after}');
  END $migration$;`;

/** Manual adjustments that are taxed as their line item or shipment is. Documents show them in its discount and net amount. */
export const up: Steps = [
  run(`
    ALTER TABLE adjustments
      ADD COLUMN taxed boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT adjustments_taxed_is_of_part
        CHECK (NOT taxed OR source_type IS NULL AND (line_item_id IS NOT NULL OR shipment_id IS NOT NULL)) NOT VALID;`),
  validate('adjustments', 'adjustments_taxed_is_of_part'),
  run(replaceInPositions(IS_DISCOUNT, IS_DISCOUNT_OR_TAXED)),
];

export const down: Steps = [
  run(replaceInPositions(IS_DISCOUNT_OR_TAXED, IS_DISCOUNT)),
  run('ALTER TABLE adjustments DROP CONSTRAINT adjustments_taxed_is_of_part, DROP COLUMN taxed;'),
];
