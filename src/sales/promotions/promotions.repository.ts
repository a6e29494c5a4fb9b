import type { ValuesOf } from '../../platform/resource/definition';
import { markAsLocked, type LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { createRecords } from '../../platform/resource/records';
import type { PromotionActionRow } from '../pricing/promotion-graph';
import type { PromotionRule } from '../pricing/promotion-rules';
import { Promotion } from './promotions.definition';

/** Deleting a promotion also deletes its rules and actions, and removes it from open orders. */
export const promotionRecords = createRecords(Promotion);

/** Inserts a promotion. @returns its id, locked because no other transaction can see it yet */
export async function insertPromotion(tx: Tx, values: ValuesOf<typeof Promotion>): Promise<LockedId> {
  return markAsLocked({ id: await promotionRecords.insert(tx, values) });
}

/** Returns the ids of one page and the total, in one statement. */
export async function findPromotionPage(db: Db, list: ListQuery): Promise<Page<number>> {
  return findIdPage(db, applyFilters(db('promotions'), list, Promotion.search), list, Promotion.search);
}

/** Returns the id of the promotion with this id, or else with this code. The code is case-insensitive. */
export async function findPromotionId(
  db: Db,
  { id, name }: { id: number | null; name: string },
): Promise<number | undefined> {
  const found = await db('promotions')
    .where({ id })
    .orWhereRaw('lower(code) = lower(?)', [name])
    .orderByRaw('id IS NOT DISTINCT FROM ? DESC', [id])
    .first<{ id: number } | undefined>('id');
  return found?.id;
}

/** Creates a rule, or updates it if `id` is set. */
export async function saveRule(
  tx: Tx,
  promotion: LockedId,
  rule: PromotionRule & { id: number | null },
): Promise<void> {
  const { id, type, match_policy, amount_min, amount_max, currency } = rule;
  const columns = { promotion_id: promotion.id, type, match_policy, amount_min, amount_max, currency };
  const [row] = await (
    id === null ? tx('promotion_rules').insert(columns) : selectRule(tx, promotion, id).update(columns)
  ).returning<{ id: number }[]>('id');
  if (row === undefined) throw new Error('no rule was written');
  await replaceRuleRecords(tx, 'product', row.id, rule.product_ids);
  await replaceRuleRecords(tx, 'taxon', row.id, rule.taxon_ids);
  await replaceRuleRecords(tx, 'user', row.id, rule.user_ids);
}

function selectRule(tx: Tx, promotion: LockedId, id: number) {
  return tx('promotion_rules').where({ id, promotion_id: promotion.id });
}

/** Replaces the records of a rule. */
async function replaceRuleRecords(
  tx: Tx,
  kind: 'product' | 'taxon' | 'user',
  ruleId: number,
  ids: readonly number[],
): Promise<void> {
  const table = `promotion_rule_${kind}s`;
  await tx(table)
    .where({ promotion_rule_id: ruleId })
    .whereNotIn(`${kind}_id`, [...ids])
    .delete();
  if (ids.length === 0) return;
  await tx(table)
    .insert(ids.map((id) => ({ promotion_rule_id: ruleId, [`${kind}_id`]: id })))
    .onConflict(['promotion_rule_id', `${kind}_id`])
    .ignore();
}

/** Deletes a rule and its references to records. */
export async function deleteRule(tx: Tx, promotion: LockedId, id: number): Promise<void> {
  await selectRule(tx, promotion, id).delete();
}

/** Creates an action, or updates it if `id` is set. */
export async function saveAction(
  tx: Tx,
  promotion: LockedId,
  { id, ...columns }: Omit<PromotionActionRow, 'id'> & { id: number | null },
): Promise<void> {
  if (id === null) await tx('promotion_actions').insert({ promotion_id: promotion.id, ...columns });
  else await selectAction(tx, promotion, id).update(columns);
}

/** Deletes an action. Complete orders keep its discounts. */
export async function deleteAction(tx: Tx, promotion: LockedId, id: number): Promise<void> {
  await selectAction(tx, promotion, id).delete();
}

function selectAction(tx: Tx, promotion: LockedId, id: number) {
  return tx('promotion_actions').where({ id, promotion_id: promotion.id });
}
