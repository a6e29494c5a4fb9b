import { run, type Steps } from '../src/platform/database/migrations/steps';

/**
 * Stores which part of what a return credits of units and freight are adjustments without tax. Null for what was received before: it was
 * credited at the rates of the line item or shipment, and stays so in documents and books.
 */
export const up: Steps = [
  run('ALTER TABLE return_items ADD COLUMN untaxed numeric(20,2)'),
  run('ALTER TABLE return_freights ADD COLUMN untaxed numeric(20,2)'),
];

export const down: Steps = [
  run('ALTER TABLE return_items DROP COLUMN untaxed'),
  run('ALTER TABLE return_freights DROP COLUMN untaxed'),
];
