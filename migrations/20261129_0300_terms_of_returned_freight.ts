import { run } from '../src/platform/database/migrations/steps';

/** Freight that returns of earlier versions have credited has no terms: it is taxed as its shipment is. */
export const up = run('ALTER TABLE return_freights ADD COLUMN terms jsonb');

export const down = run('ALTER TABLE return_freights DROP COLUMN terms');
