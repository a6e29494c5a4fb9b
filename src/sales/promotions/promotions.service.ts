import type { LockedId } from '../../platform/database/locked';
import { findDefaultStore } from '../../accounts/stores/stores.repository';
import type { Ctx } from '../context';
import { INVALID, InvalidResource, requireFound, type FieldErrors } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { IdOrName } from '../../platform/http/path-parameters';
import { prefixErrors } from '../../platform/nested-errors';
import type { ChangesOf, ValuesOf } from '../../platform/resource/definition';
import type { UseCasesOf } from '../../platform/resource/use-cases';
import { normalizeCode } from '../pricing/coupon-code-sql';
import { loadPromotionGraphs, type PromotionGraph } from '../pricing/promotion-graph';
import { hasTooManyParts, readAction, readRule, TOO_MANY } from './promotion-parts';
import { Promotion } from './promotions.definition';
import {
  deletePart,
  findPromotionId,
  findPromotionPage,
  insertPromotion,
  promotionRecords as rows,
  savePart,
  saveRule,
} from './promotions.repository';

/** A promotion with its rules and actions, and the number of orders that use it. */
export type PromotionWithUses = PromotionGraph & { usage_count: number };

type PromotionChanges = ChangesOf<typeof Promotion>;

const FALLBACK_CURRENCY = 'USD';

export const promotions: UseCasesOf<Ctx, typeof Promotion, PromotionWithUses, IdOrName> = {
  /** Returns one page of promotions, in a constant number of statements. */
  list: async (ctx, list) => {
    const page = await findPromotionPage(ctx.db, list);
    return { ...page, rows: await loadPromotionGraphs(ctx.db, page.rows) };
  },

  /** Returns a promotion by its id or code. @throws NotFound */
  get: (ctx, named) => getPromotion(ctx.db, named),

  /** Creates a promotion with its rules and actions. It applies to open orders from their next change on. */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      const values = Promotion.newValues(replaceBlanks(attributes));
      checkPeriod(values);
      const created = await insertPromotion(tx, values);
      await applyParts(tx, created, { rules: [], actions: [] }, attributes);
      return getPromotion(tx, { id: created.id, name: '' });
    }),

  /**
   * Updates a promotion. Open orders are recalculated with their next change, and must be confirmed again if their
   * total changes at completion; complete orders keep their discounts. Locks the promotion, so that no order that uses
   * it is completed concurrently.
   */
  update: (ctx, named, changes) =>
    withTransaction(ctx, async (tx) => {
      const { id } = await getPromotion(tx, named);
      const locked = await rows.lock(tx, id);
      const promotion = await getPromotion(tx, { id, name: '' });
      const values = Promotion.changedValues(replaceBlanks(changes));
      checkPeriod({ ...promotion, ...values });
      await rows.update(tx, id, values);
      await applyParts(tx, locked, promotion, changes);
      return getPromotion(tx, { id, name: '' });
    }),

  /** Deletes a promotion. Open orders lose it; complete orders keep their discounts. */
  delete: (ctx, named) =>
    withTransaction(ctx, async (tx) => {
      const { id } = await getPromotion(tx, named);
      await rows.delete(tx, id, ctx.now());
    }),
};

async function getPromotion(db: Db, named: IdOrName): Promise<PromotionWithUses> {
  const id = await findPromotionId(db, named);
  return requireFound((id === undefined ? [] : await loadPromotionGraphs(db, [id]))[0]);
}

/** Replaces blank texts with null: a promotion with a blank code is automatic. Normalizes the code. */
function replaceBlanks<T extends Pick<PromotionChanges, 'code' | 'path' | 'type'>>(attributes: T): T {
  const orNull = (text: string | null | undefined) => (text === '' ? null : text);
  return {
    ...attributes,
    code: orNull(attributes.code == null ? attributes.code : normalizeCode(attributes.code)),
    path: orNull(attributes.path),
    type: orNull(attributes.type),
  };
}

/** Throws if a promotion expires before it starts. @throws InvalidResource */
function checkPeriod({ starts_at, expires_at }: Partial<ValuesOf<typeof Promotion>>): void {
  if (starts_at == null || expires_at == null || expires_at > starts_at) return;
  throw new InvalidResource({ expires_at: ['must be later than starts_at'] });
}

/** Creates, updates and deletes the rules and actions in a body; others are kept. @throws InvalidResource */
async function applyParts(
  tx: Tx,
  promotion: LockedId,
  before: Pick<PromotionGraph, 'rules' | 'actions'>,
  input: PromotionChanges,
): Promise<void> {
  const rules = input.rules ?? input.promotion_rules_attributes ?? [];
  const actions = input.actions ?? input.promotion_actions_attributes ?? [];
  if (rules.length === 0 && actions.length === 0) return;
  const tooMany = {
    ...(hasTooManyParts(before.rules, rules) && { rules: [TOO_MANY] }),
    ...(hasTooManyParts(before.actions, actions) && { actions: [TOO_MANY] }),
  };
  if (Object.keys(tooMany).length > 0) throw new InvalidResource(tooMany);
  const currency = (await findDefaultStore(tx))?.currency ?? FALLBACK_CURRENCY;
  for (const row of rules) {
    const part = readPart('rules', before.rules, row, (stored) => readRule(row, stored, currency));
    if (part === null) await deletePart(tx, promotion, 'promotion_rules', row.id);
    else await saveRule(tx, promotion, part);
  }
  for (const row of actions) {
    const part = readPart('actions', before.actions, row, (stored) => readAction(row, stored, currency));
    if (part === null) await deletePart(tx, promotion, 'promotion_actions', row.id);
    else await savePart(tx, promotion, 'promotion_actions', part);
  }
}

/**
 * Returns the rule or action that a row asks for, with the id of the stored one; null to delete it.
 * @throws InvalidResource for an unknown id, or invalid fields
 */
function readPart<Stored extends { id: number }, Part>(
  kind: 'rules' | 'actions',
  parts: readonly Stored[],
  { id, _destroy }: { id?: number | null | undefined; _destroy?: boolean | null | undefined },
  read: (stored: Stored | null) => { part: Part } | { errors: FieldErrors },
): (Part & { id: number | null }) | null {
  const stored = id == null ? null : parts.find((part) => part.id === id);
  if (stored === undefined) throw new InvalidResource({ [`${kind}.id`]: [INVALID] });
  if (_destroy === true) return null;
  const result = read(stored);
  if ('errors' in result) throw new InvalidResource(prefixErrors(kind, result.errors));
  return { ...result.part, id: stored?.id ?? null };
}
