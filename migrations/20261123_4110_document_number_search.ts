import { createIndex, dropIndex, type Steps } from '../src/platform/database/migrations/steps';

/**
 * The index of `search` on the numbers of documents. `20261123_8400_order_search` gives it the name of the index that
 * sorts them, so it creates none, and its `down` drops the other one. Runs before it, so that `down` can restore that one.
 */
export const up: Steps = [createIndex('documents_upper_number_index', 'documents (upper(number))')];

export const down: Steps = [
  dropIndex('documents_upper_number_index'),
  createIndex('documents_number_index', 'documents (number, id)'),
];
