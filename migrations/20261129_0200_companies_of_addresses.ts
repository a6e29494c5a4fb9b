import { createIndex, dropIndex } from '../src/platform/database/migrations/steps';

/** The search of orders finds companies. */
export const up = [
  createIndex(
    'addresses_company_index',
    'addresses (lower(company) text_pattern_ops) WHERE company IS NOT NULL',
  ),
];

export const down = [dropIndex('addresses_company_index')];
