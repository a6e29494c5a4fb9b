import type { Steps } from '../src/platform/database/migrations/steps';
import { run } from '../src/platform/database/migrations/steps';

/** Shipments with a tracking address of their own, and the import kinds of trackings and of old orders. */
export const up: Steps = [
  run('ALTER TABLE shipments ADD COLUMN tracking_url text'),
  run(`ALTER TABLE imports DROP CONSTRAINT imports_kind_known,
         ADD CONSTRAINT imports_kind_known
           CHECK (kind IN ('products', 'stock', 'prices', 'customers', 'shipments', 'orders'))`),
];

export const down: Steps = [
  run(`DELETE FROM imports WHERE kind IN ('shipments', 'orders')`),
  run(`ALTER TABLE imports DROP CONSTRAINT imports_kind_known,
         ADD CONSTRAINT imports_kind_known CHECK (kind IN ('products', 'stock', 'prices', 'customers'))`),
  run('ALTER TABLE shipments DROP COLUMN tracking_url'),
];
