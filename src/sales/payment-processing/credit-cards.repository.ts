import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
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

/** Cards can be used again only when the gateway keeps them. */
function selectSavedCards(db: Db, userId: number) {
  return db<CreditCardRow>('credit_cards')
    .where({ user_id: userId })
    .whereNotNull('gateway_customer_profile_id');
}

/** The cards of a user that can be used again. */
export async function findCreditCardPage(
  db: Db,
  list: ListQuery,
  userId: number,
): Promise<Page<CreditCardRow>> {
  const matching = applyFilters(selectSavedCards(db, userId), list, creditCardSearch);
  const rows = await applySortAndPage(matching.clone().select(...COLUMNS), list, creditCardSearch);
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** A user's card, when it can be used again. */
export async function findSavedCard(db: Db, userId: number, id: number): Promise<CreditCardRow | undefined> {
  return selectSavedCards(db, userId)
    .where({ id })
    .first(...COLUMNS);
}

/** The card a user pays with unless told. */
export async function findDefaultCard(db: Db, userId: number): Promise<CreditCardRow | undefined> {
  return selectSavedCards(db, userId)
    .where({ is_default: true })
    .first(...COLUMNS);
}

export type NewCreditCard = Omit<CreditCardRow, 'id' | 'is_default'>;

/** @returns the new id */
export async function insertCreditCard(tx: Tx, card: NewCreditCard): Promise<number> {
  const rows = await tx('credit_cards').insert(card).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Makes one card of a user the default, and no other. The cards are locked first: of two orders the later one decides. */
export async function setDefaultCard(tx: Tx, userId: number, cardId: number): Promise<void> {
  await tx('credit_cards').where({ user_id: userId }).orderBy('id').forUpdate().select('id');
  await tx('credit_cards')
    .where({ user_id: userId, is_default: true })
    .whereNot({ id: cardId })
    .update({ is_default: false });
  await tx('credit_cards').where({ user_id: userId, id: cardId }).update({ is_default: true });
}
