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

/** Creates a rule, or updates it if `id` is set. Expects the promotion locked. */
export async function saveRule(
  tx: Tx,
  promotionId: number,
  rule: PromotionRule & { id: number | null },
): Promise<void> {
  const { id, type, match_policy, amount_min, amount_max, currency } = rule;
  const columns = { promotion_id: promotionId, type, match_policy, amount_min, amount_max, currency };
  const [row] = await (
    id === null ? tx('promotion_rules').insert(columns) : updateRule(tx, id, columns)
  ).returning<{ id: number }[]>('id');
  if (row === undefined) throw new Error('no rule was written');
  await replaceRuleRecords(tx, 'product', row.id, rule.product_ids);
  await replaceRuleRecords(tx, 'taxon', row.id, rule.taxon_ids);
  await replaceRuleRecords(tx, 'user', row.id, rule.user_ids);
}

function updateRule(tx: Tx, id: number, columns: object) {
  return tx('promotion_rules').where({ id }).update(columns);
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

/** Deletes a rule and its references to records. Expects the promotion locked. */
export async function deleteRule(tx: Tx, id: number): Promise<void> {
  await tx('promotion_rules').where({ id }).delete();
}

/** Creates an action, or updates it if `id` is set. Expects the promotion locked. */
export async function saveAction(
  tx: Tx,
  promotionId: number,
  { id, ...columns }: Omit<PromotionActionRow, 'id'> & { id: number | null },
): Promise<void> {
  if (id === null) await tx('promotion_actions').insert({ promotion_id: promotionId, ...columns });
  else await tx('promotion_actions').where({ id }).update(columns);
}

/** Deletes an action. Complete orders keep its discounts. Expects the promotion locked. */
export async function deleteAction(tx: Tx, id: number): Promise<void> {
  await tx('promotion_actions').where({ id }).delete();
}
