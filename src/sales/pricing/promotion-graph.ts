import type { Db } from '../../platform/database/knex';
import { selectIdOfCode } from './coupon-code-sql';
import type { Tx } from '../../platform/database/transaction';
import type { ActionType } from '../order/action-types';
import type { MatchPolicy, PromotionRule } from './promotion-rules';

/** A row of `promotions`. Automatic if `code` is null. */
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

/** A promotion action. Only the parameters of its type are set; amounts are decimal strings. */
export interface PromotionActionRow {
  id: number;
  type: ActionType;
  percent: string | null;
  amount: string | null;
  currency: string | null;
}

/** A promotion with its rules and actions, each sorted by id. */
export interface PromotionGraph extends PromotionRow {
  rules: PromotionRuleRow[];
  actions: PromotionActionRow[];
}

/** A promotion and its availability to one order. */
export interface PromotionOffer extends PromotionGraph {
  /** It has started and not expired. */
  is_running: boolean;
  /** Other orders have reached its usage limit. */
  is_used_up: boolean;
}

/** SQL condition: the promotion `p` has started and not expired. */
const IS_RUNNING = '(coalesce(p.starts_at <= now(), true) AND coalesce(p.expires_at > now(), true))';

/** SQL expression: the number of orders that use the promotion `p`, being completed or complete but not canceled. */
const USES = (where: string): string => `(
  SELECT count(*)::integer FROM order_promotions u JOIN orders used_by ON used_by.id = u.order_id
   WHERE u.promotion_id = p.id AND u.used AND used_by.state <> 'canceled' AND ${where})`;

/** SQL condition: orders other than the one whose id is bound have reached the usage limit of the promotion `p`. */
export const IS_USED_UP = `(p.usage_limit IS NOT NULL AND ${USES('u.order_id <> ?')} >= p.usage_limit)`;

const IDS = (table: string, column: string): string =>
  `ARRAY(SELECT ${column} FROM ${table} WHERE promotion_rule_id = r.id ORDER BY ${column})`;

const PARTS = `
  (SELECT coalesce(json_agg(rule ORDER BY rule.id), '[]') FROM (
     SELECT r.id, r.type, r.match_policy, r.amount_min::text, r.amount_max::text, r.currency,
            ${IDS('promotion_rule_products', 'product_id')} AS product_ids,
            ${IDS('promotion_rule_taxons', 'taxon_id')} AS taxon_ids,
            ${IDS('promotion_rule_users', 'user_id')} AS user_ids
       FROM promotion_rules r WHERE r.promotion_id = p.id) rule) AS rules,
  (SELECT coalesce(json_agg(action ORDER BY action.id), '[]') FROM (
     SELECT a.id, a.type, a.percent::text, a.amount::text, a.currency
       FROM promotion_actions a WHERE a.promotion_id = p.id) action) AS actions`;

const COLUMNS = `p.id, p.name, p.description, p.code, p.path, p.type, p.starts_at, p.expires_at, p.usage_limit,
  p.match_policy, p.advertise`;

/** Loads promotions with their rules, actions and number of uses, in the order of `ids`. One statement. */
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

/** An order with the promotions whose codes were entered. */
export interface OffersQuestion {
  order_id: number;
  promotion_ids: readonly number[];
}

/**
 * Loads the promotions that may apply to an open order: those whose code was entered and the running automatic ones.
 * One statement.
 */
export async function loadPromotionOffers(
  db: Db,
  { order_id, promotion_ids }: OffersQuestion,
): Promise<PromotionOffer[]> {
  const { rows } = await db.raw<{ rows: PromotionOffer[] }>(
    `SELECT ${COLUMNS}, ${IS_RUNNING} AS is_running, ${IS_USED_UP} AS is_used_up, ${PARTS}
       FROM promotions p
      WHERE p.code IS NULL AND ${IS_RUNNING}
         OR p.code IS NOT NULL AND p.id = ANY(?::integer[])
      ORDER BY p.id`,
    [order_id, [...promotion_ids]],
  );
  return rows;
}

/**
 * Locks the promotion with this coupon code against deletion and returns it, or undefined. Ignores letter case and
 * width.
 */
export async function lockOfferByCode(
  tx: Tx,
  code: string,
  orderId: number,
): Promise<PromotionOffer | undefined> {
  const { sql, bindings } = selectIdOfCode(code);
  const { rows } = await tx.raw<{ rows: PromotionOffer[] }>(
    `SELECT ${COLUMNS}, ${IS_RUNNING} AS is_running, ${IS_USED_UP} AS is_used_up, ${PARTS}
       FROM promotions p WHERE p.id = ${sql} FOR KEY SHARE OF p`,
    [orderId, ...bindings],
  );
  return rows[0];
}
