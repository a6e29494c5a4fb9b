import type { Knex } from 'knex';
import { createIndex, type Steps } from '../src/platform/database/migrations/steps';

/** Finds the saved cards with a profile, so that a token of another customer's card is recognized. */
export const up: Steps = [
  createIndex(
    'credit_cards_customer_profile_index',
    'credit_cards (gateway_customer_profile_id) WHERE gateway_customer_profile_id IS NOT NULL',
  ),
  createIndex(
    'credit_cards_payment_profile_index',
    'credit_cards (gateway_payment_profile_id) WHERE gateway_payment_profile_id IS NOT NULL',
  ),
];

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP INDEX credit_cards_customer_profile_index, credit_cards_payment_profile_index;`);
}
