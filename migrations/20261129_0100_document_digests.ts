import { run } from '../src/platform/database/migrations/steps';

/** Documents of earlier versions have no digest. */
export const up = run('ALTER TABLE documents ADD COLUMN digest bytea');

export const down = run('ALTER TABLE documents DROP COLUMN digest');
