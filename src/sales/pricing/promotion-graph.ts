import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { ActionType } from './promotion-amounts';
import type { MatchPolicy, PromotionRule } from './promotion-rules';

/** A row of `promotions`. Without a code it is automatic. */
export interface PromotionRow {
  id: number;
  name: string;
  description: string | null;
  code: string | null;
  path: string | null;
  type: string | null;
  starts_at: Date | null;
  expires_at: Date | null;
  usage_limit: number | null;
  match_policy: MatchPolicy;
  advertise: boolean;
}

export interface PromotionRuleRow extends PromotionRule {
  id: number;
}

/** What a promotion gives. Only the parameters of its type are filled; decimal strings. */
export interface PromotionActionRow {
  id: number;
  type: ActionType;
  percent: string | null;
  amount: string | null;
  currency: string | null;
}

/** A promotion with its conditions and what it gives, by id. */
export interface PromotionGraph extends PromotionRow {
  rules: PromotionRuleRow[];
  actions: PromotionActionRow[];
}

/** A promotion as an order sees it. */
export interface PromotionOffer extends PromotionGraph {
  /** It has started and not expired. */
  is_running: boolean;
  /** Other orders use it as often as its limit allows. */
  is_used_up: boolean;
}

/** Whether a promotion, called `p` in the statement, has started and not expired. */
export const IS_RUNNING = '(coalesce(p.starts_at <= now(), true) AND coalesce(p.expires_at > now(), true))';

/** How many orders use the promotion `p`: those complete, or just being completed, with its discount; canceled ones give it back. */
const USES = (where: string): string => `(
  SELECT count(*)::integer FROM order_promotions u JOIN orders used_by ON used_by.id = u.order_id
   WHERE u.promotion_id = p.id AND u.used AND used_by.state <> 'canceled' AND ${where})`;

/** Whether the limit of promotion `p` is reached by orders other than the one whose id is bound. */
export const IS_USED_UP = `(p.usage_limit IS NOT NULL AND ${USES('u.order_id <> ?')} >= p.usage_limit)`;

const NAMED = (table: string, column: string): string =>
  `ARRAY(SELECT ${column} FROM ${table} WHERE promotion_rule_id = r.id ORDER BY ${column})`;

const PARTS = `
  (SELECT coalesce(json_agg(rule ORDER BY rule.id), '[]') FROM (
     SELECT r.id, r.type, r.match_policy, r.amount_min::text, r.amount_max::text, r.currency,
            ${NAMED('promotion_rule_products', 'product_id')} AS product_ids,
            ${NAMED('promotion_rule_taxons', 'taxon_id')} AS taxon_ids,
            ${NAMED('promotion_rule_users', 'user_id')} AS user_ids
       FROM promotion_rules r WHERE r.promotion_id = p.id) rule) AS rules,
  (SELECT coalesce(json_agg(action ORDER BY action.id), '[]') FROM (
     SELECT a.id, a.type, a.percent::text, a.amount::text, a.currency
       FROM promotion_actions a WHERE a.promotion_id = p.id) action) AS actions`;

const COLUMNS = `p.id, p.name, p.description, p.code, p.path, p.type, p.starts_at, p.expires_at, p.usage_limit,
  p.match_policy, p.advertise`;

/** Promotions with their parts and how many orders use each, in the order of `ids`. One statement. */
export async function loadPromotionGraphs(
  db: Db,
  ids: readonly number[],
): Promise<(PromotionGraph & { usage_count: number })[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.raw<{ rows: (PromotionGraph & { usage_count: number })[] }>(
    `SELECT ${COLUMNS}, ${USES('true')} AS usage_count, ${PARTS} FROM promotions p WHERE p.id = ANY(?::integer[])`,
    [[...ids]],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * The promotions that have a say in an order: of an open one those whose code was entered and the automatic ones that
 * run now; of a completed one those it was sold with. One statement.
 */
export async function loadPromotionOffers(
  db: Db,
  order: { id: number; completed_at: Date | null },
): Promise<PromotionOffer[]> {
  const chosen =
    order.completed_at === null
      ? `p.code IS NULL AND ${IS_RUNNING} OR p.code IS NOT NULL AND p.id IN
           (SELECT promotion_id FROM order_promotions WHERE order_id = ?)`
      : 'p.id IN (SELECT promotion_id FROM order_promotions WHERE order_id = ? AND used)';
  const { rows } = await db.raw<{ rows: PromotionOffer[] }>(
    `SELECT ${COLUMNS}, ${IS_RUNNING} AS is_running, ${IS_USED_UP} AS is_used_up, ${PARTS}
       FROM promotions p WHERE ${chosen} ORDER BY p.id`,
    [order.id, order.id],
  );
  return rows;
}

/**
 * The promotion of that code, whatever the letter case, as this order sees it. It is not deleted before the transaction
 * ends.
 */
export async function lockOfferByCode(
  tx: Tx,
  code: string,
  orderId: number,
): Promise<PromotionOffer | undefined> {
  const { rows } = await tx.raw<{ rows: PromotionOffer[] }>(
    `SELECT ${COLUMNS}, ${IS_RUNNING} AS is_running, ${IS_USED_UP} AS is_used_up, ${PARTS}
       FROM promotions p WHERE lower(p.code) = lower(?) FOR KEY SHARE OF p`,
    [orderId, code],
  );
  return rows[0];
}
