import type { ValuesOf } from '../../platform/resource/definition';
import { markAsLocked, type LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { createRecords } from '../../platform/resource/records';
import { selectIdOfCode } from '../pricing/coupon-code-sql';
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

/** Returns the id of the promotion with this id, or else with this code. The code may be in any letter case and width. */
export async function findPromotionId(
  db: Db,
  { id, name }: { id: number | null; name: string },
): Promise<number | undefined> {
  const { sql, bindings } = selectIdOfCode(name);
  const found = await db('promotions')
    .where({ id })
    .orWhereRaw(`id = ${sql}`, bindings)
    .orderByRaw('id IS NOT DISTINCT FROM ? DESC', [id])
    .first<{ id: number } | undefined>('id');
  return found?.id;
}

/** Creates a rule, or updates it if `id` is set. */
export async function saveRule(
  tx: Tx,
  promotion: LockedId,
  { product_ids, taxon_ids, user_ids, ...columns }: PromotionRule & { id: number | null },
): Promise<void> {
  const id = await savePart(tx, promotion, 'promotion_rules', columns);
  await replaceRuleRecords(tx, 'product', id, product_ids);
  await replaceRuleRecords(tx, 'taxon', id, taxon_ids);
  await replaceRuleRecords(tx, 'user', id, user_ids);
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

type RuleColumns = Omit<PromotionRule, 'product_ids' | 'taxon_ids' | 'user_ids'>;
type PartTable = 'promotion_rules' | 'promotion_actions';

/** Creates a rule or an action, or updates it if `id` is set. @returns its id */
export async function savePart(
  tx: Tx,
  { id: promotion_id }: LockedId,
  table: PartTable,
  { id, ...columns }: (Omit<PromotionActionRow, 'id'> | RuleColumns) & { id: number | null },
): Promise<number> {
  const rows = tx(table);
  const written =
    id === null
      ? rows.insert({ promotion_id, ...columns })
      : rows.where({ id, promotion_id }).update(columns);
  return requireRow(await written.returning<{ id: number }[]>('id')).id;
}

/** Deletes a rule with its references to records, or an action. Complete orders keep the discounts of an action. */
export async function deletePart(
  tx: Tx,
  { id: promotion_id }: LockedId,
  table: PartTable,
  id: number | null | undefined,
): Promise<void> {
  if (id != null) await tx(table).where({ id, promotion_id }).delete();
}
