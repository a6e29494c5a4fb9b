import type { Db } from '../../platform/database/knex';
import type { BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage, selectColumns } from '../../platform/query-builder/row-page';
import type { CreditCardRow } from '../order/order-graph';
import { creditCardSearch } from './credit-cards.search';

const COLUMNS = [
  'credit_cards.id',
  'credit_cards.user_id',
  'credit_cards.payment_method_id',
  'credit_cards.month',
  'credit_cards.year',
  'credit_cards.cc_type',
  'credit_cards.last_digits',
  'credit_cards.name',
  'credit_cards.gateway_customer_profile_id',
  'credit_cards.gateway_payment_profile_id',
  'credit_cards.is_default',
] as const;

/** Builds the query of a user's saved cards: those that the gateway stores and can charge again. */
function selectSavedCards(db: Db, userId: number) {
  return db<CreditCardRow>('credit_cards')
    .where({ user_id: userId })
    .whereNotNull('gateway_customer_profile_id');
}

/** Returns one page of a user's saved cards. */
export async function findCreditCardPage(
  db: Db,
  list: ListQuery,
  userId: number,
): Promise<Page<CreditCardRow>> {
  const matching = applyFilters(selectSavedCards(db, userId), list, creditCardSearch);
  return findRowPage(
    db,
    { matching, select: selectColumns<CreditCardRow>(...COLUMNS) },
    list,
    creditCardSearch,
  );
}

/** Returns a user's saved card. Undefined also for a card that cannot be used again. */
export async function findSavedCard(db: Db, userId: number, id: number): Promise<CreditCardRow | undefined> {
  return selectSavedCards(db, userId)
    .where({ id })
    .first(...COLUMNS);
}

/** Returns a user's default card, if it is a saved one. */
export async function findDefaultCard(db: Db, userId: number): Promise<CreditCardRow | undefined> {
  return selectSavedCards(db, userId)
    .where({ is_default: true })
    .first(...COLUMNS);
}

/**
 * Builds the statements that make a card the only default of a user. They lock the user's cards, so that of two concurrent calls the later one wins.
 */
export function buildDefaultCard(userId: number, cardId: number): BoundStatement[] {
  return [
    { statement: LOCK_CARDS, bindings: [userId] },
    { statement: CLEAR_DEFAULTS, bindings: [userId, cardId] },
    { statement: SET_DEFAULT, bindings: [userId, cardId] },
  ];
}

const LOCK_CARDS = {
  name: 'lock_cards_of_user',
  sql: 'SELECT id FROM credit_cards WHERE user_id = ? ORDER BY id FOR UPDATE',
};

const CLEAR_DEFAULTS = {
  name: 'clear_default_cards',
  sql: 'UPDATE credit_cards SET is_default = false WHERE user_id = ? AND is_default AND id <> ?',
};

const SET_DEFAULT = {
  name: 'set_default_card',
  sql: 'UPDATE credit_cards SET is_default = true WHERE user_id = ? AND id = ?',
};

/** Makes a card of a user no longer the default one. */
export async function clearDefaultCard(tx: Tx, userId: number, cardId: number): Promise<void> {
  await tx('credit_cards').where({ user_id: userId, id: cardId }).update({ is_default: false });
}

/** Removes a card from those of its user. Deletes it, unless payments refer to it. */
export async function forgetCard(tx: Tx, userId: number, cardId: number): Promise<void> {
  await tx('credit_cards')
    .where({ user_id: userId, id: cardId })
    .update({ user_id: null, is_default: false });
  await tx.raw(
    `DELETE FROM credit_cards WHERE id = ? AND user_id IS NULL
        AND NOT EXISTS (SELECT FROM payments WHERE credit_card_id = credit_cards.id)`,
    [cardId],
  );
}

/** Returns all cards of a user, by id, also those that cannot be used again. */
export async function findCards(db: Db, userId: number): Promise<CreditCardRow[]> {
  return db<CreditCardRow>('credit_cards')
    .where({ user_id: userId })
    .orderBy('id')
    .select(...COLUMNS);
}
