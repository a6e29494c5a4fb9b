import { findDefaultStore } from '../../accounts/stores/stores.repository';
import type { Ctx } from '../context';
import { INVALID, InvalidResource, NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { IdOrName } from '../../platform/http/path-parameters';
import { prefixed } from '../../platform/nested-errors';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { loadPromotionGraphs, type PromotionGraph } from '../pricing/promotion-graph';
import { isTooMany, readAction, readRule, TOO_MANY } from './promotion-parts';
import {
  deleteAction,
  deletePromotion,
  deleteRule,
  findPromotionId,
  findPromotionPage,
  insertPromotion,
  lockPromotion,
  putAction,
  putRule,
  updatePromotion,
  type PromotionValues,
} from './promotions.repository';
import type { PromotionAttributes, PromotionChanges } from './promotions.schema';

/** A promotion with its parts, and how many orders use it. */
export type Promotion = PromotionGraph & { usage_count: number };

const FALLBACK_CURRENCY = 'USD';

/** Two statements, whatever the length of the list. */
export async function listPromotions(ctx: Ctx, list: ListQuery): Promise<Page<Promotion>> {
  const page = await findPromotionPage(ctx.db, list);
  return { ...page, rows: await loadPromotionGraphs(ctx.db, page.rows) };
}

/** The promotion of that id, else of that code. @throws NotFound */
export async function getPromotion(ctx: Ctx, named: IdOrName): Promise<Promotion> {
  return mustFind(ctx.db, named);
}

async function mustFind(db: Db, named: IdOrName): Promise<Promotion> {
  const id = await findPromotionId(db, named);
  const [promotion] = id === undefined ? [] : await loadPromotionGraphs(db, [id]);
  if (promotion === undefined) throw new NotFound();
  return promotion;
}

/** Makes a promotion with its parts, all or nothing. Open orders have it with their next change. @throws InvalidResource */
export async function createPromotion(ctx: Ctx, attributes: PromotionAttributes): Promise<Promotion> {
  return withTransaction(ctx, async (tx) => {
    const values = valuesOf(attributes);
    checkPeriod(values);
    const id = await insertPromotion(tx, { ...values, name: attributes.name });
    await applyParts(tx, { id, rules: [], actions: [] }, attributes);
    return mustFind(tx, { id, name: '' });
  });
}

/**
 * Changes a promotion. Open orders follow with their next change, and are asked again at completion when their total
 * was another; what was sold keeps its discounts. Locks the promotion.
 * @throws NotFound, InvalidResource
 */
export async function changePromotion(
  ctx: Ctx,
  named: IdOrName,
  changes: PromotionChanges,
): Promise<Promotion> {
  return withTransaction(ctx, async (tx) => {
    const { id } = await mustFind(tx, named);
    if ((await lockPromotion(tx, id)) === undefined) throw new NotFound();
    const promotion = await mustFind(tx, { id, name: '' });
    const values = valuesOf(changes);
    checkPeriod({ ...promotion, ...values });
    await updatePromotion(tx, id, values);
    await applyParts(tx, promotion, changes);
    return mustFind(tx, { id, name: '' });
  });
}

/** Removes a promotion and takes it off open orders; what was sold keeps its discounts. @throws NotFound */
export async function removePromotion(ctx: Ctx, named: IdOrName): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const { id } = await mustFind(tx, named);
    if ((await deletePromotion(tx, id)) === 0) throw new NotFound();
  });
}

/** The columns a body names. Blank texts are none: a promotion without a code is automatic. */
function valuesOf(said: PromotionChanges): Partial<PromotionValues> {
  const { name, description, starts_at, expires_at, usage_limit } = said;
  const { code, path, type, match_policy, advertise } = said;
  return {
    ...defined({ name, description, starts_at, expires_at, usage_limit }),
    ...defined({ code: orNull(code), path: orNull(path), type: orNull(type) }),
    ...(match_policy != null && { match_policy }),
    ...(advertise != null && { advertise }),
  };
}

function orNull(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** @throws InvalidResource */
function checkPeriod({ starts_at, expires_at }: Partial<PromotionValues>): void {
  if (starts_at == null || expires_at == null || expires_at > starts_at) return;
  throw new InvalidResource({ expires_at: ['must be later than starts_at'] });
}

/** The rules and actions a body carries; those it does not name stay. @throws InvalidResource */
async function applyParts(
  tx: Tx,
  promotion: Pick<PromotionGraph, 'id' | 'rules' | 'actions'>,
  said: PromotionChanges,
): Promise<void> {
  const rules = said.rules ?? said.promotion_rules_attributes ?? [];
  const actions = said.actions ?? said.promotion_actions_attributes ?? [];
  if (rules.length === 0 && actions.length === 0) return;
  const tooMany = {
    ...(isTooMany(promotion.rules, rules) && { rules: [TOO_MANY] }),
    ...(isTooMany(promotion.actions, actions) && { actions: [TOO_MANY] }),
  };
  if (Object.keys(tooMany).length > 0) throw new InvalidResource(tooMany);
  const currency = (await findDefaultStore(tx))?.currency ?? FALLBACK_CURRENCY;
  for (const row of rules) {
    const before = partOf('rules', promotion.rules, row.id);
    if (row._destroy === true) {
      if (before !== null) await deleteRule(tx, before.id);
      continue;
    }
    const read = readRule(row, before, currency);
    if ('errors' in read) throw new InvalidResource(prefixed('rules', read.errors));
    await putRule(tx, promotion.id, { ...read.part, id: before?.id ?? null });
  }
  for (const row of actions) {
    const before = partOf('actions', promotion.actions, row.id);
    if (row._destroy === true) {
      if (before !== null) await deleteAction(tx, before.id);
      continue;
    }
    const read = readAction(row, before, currency);
    if ('errors' in read) throw new InvalidResource(prefixed('actions', read.errors));
    await putAction(tx, promotion.id, { ...read.part, id: before?.id ?? null });
  }
}

/** The part a row names; null when it names none. @throws InvalidResource when it is not the promotion's own */
function partOf<Part extends { id: number }>(
  kind: 'rules' | 'actions',
  parts: readonly Part[],
  id: number | null | undefined,
): Part | null {
  if (id == null) return null;
  const part = parts.find((one) => one.id === id);
  if (part === undefined) throw new InvalidResource({ [`${kind}.id`]: [INVALID] });
  return part;
}
