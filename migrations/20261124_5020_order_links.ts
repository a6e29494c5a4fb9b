import type { Steps } from '../src/platform/database/migrations/steps';
import { run } from '../src/platform/database/migrations/steps';

/** Where links in mails about an order lead; null for the default. */
export const up: Steps = [run('ALTER TABLE stores ADD COLUMN order_url text')];

export const down: Steps = [run('ALTER TABLE stores DROP COLUMN order_url')];
