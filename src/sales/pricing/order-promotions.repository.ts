import type { LockedOrder } from '../order/order-lock';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { OrderGraph } from '../order/order-graph';
import type { OrderRow } from '../order/orders.repository';
import type { BoundStatement } from '../../platform/database/prepared';
import { selectIdOfCode } from './coupon-code-sql';
import { IS_USED_UP } from './promotion-graph';

/** Facts for promotion rules that are not part of the order graph. */
export interface Purchase {
  products: { variant_id: number; product_id: number; taxon_ids: number[] }[];
  has_bought_before: boolean;
  used_promotion_ids: number[];
}

/** The order that is not one of the others, its buyer, and what promotion rules ask about. */
export interface PurchaseQuestion extends Pick<OrderRow, 'id' | 'user_id' | 'email'> {
  variant_ids: readonly number[];
  taxon_ids: readonly number[];
  promotion_ids: readonly number[];
}

/**
 * Loads the products of these variants with those of `taxon_ids` that classify them, and facts about other orders of
 * the same buyer: the same user or the same e-mail. One statement.
 */
export async function loadPurchase(db: Db, question: PurchaseQuestion): Promise<Purchase> {
  const { rows } = await db.raw<{ rows: Purchase[] }>(
    `WITH other_orders AS (
       SELECT id, completed_at FROM orders
        WHERE (user_id = :user_id OR lower(email) = lower(:email)) AND id <> :order_id AND state <> 'canceled')
     SELECT (SELECT coalesce(json_agg(g), '[]') FROM (
               SELECT v.id AS variant_id, v.product_id,
                      ARRAY(SELECT DISTINCT above.id
                              FROM classifications c
                              JOIN taxons own ON own.id = c.taxon_id
                              JOIN taxons above ON above.taxonomy_id = own.taxonomy_id
                                               AND above.lft <= own.lft AND above.rgt >= own.rgt
                             WHERE c.product_id = v.product_id AND above.id = ANY(CAST(:taxon_ids AS integer[]))) AS taxon_ids
                 FROM variants v WHERE v.id = ANY(CAST(:variant_ids AS integer[]))) g) AS products,
            EXISTS (SELECT 1 FROM other_orders WHERE completed_at IS NOT NULL) AS has_bought_before,
            ARRAY(SELECT DISTINCT used.promotion_id
                    FROM other_orders JOIN order_promotions used ON used.order_id = other_orders.id
                   WHERE used.used AND used.promotion_id = ANY(CAST(:promotion_ids AS integer[]))) AS used_promotion_ids`,
    {
      order_id: question.id,
      user_id: question.user_id,
      // Orders without an e-mail do not share a buyer.
      email: question.email === '' ? null : question.email,
      taxon_ids: [...question.taxon_ids],
      variant_ids: [...question.variant_ids],
      promotion_ids: [...question.promotion_ids],
    },
  );
  const [purchase] = rows;
  if (purchase === undefined) throw new Error('the statement returned no row');
  return purchase;
}

/** Returns the id of the promotion with this coupon code, or null. Ignores letter case and width. */
export async function findPromotionIdByCode(db: Db, code: string): Promise<number | null> {
  const { sql, bindings } = selectIdOfCode(code);
  const { rows } = await db.raw<{ rows: { id: number | null }[] }>(`SELECT ${sql} AS id`, bindings);
  return rows[0]?.id ?? null;
}

/** Returns the coupon codes of these promotions, by the ids of the promotions. */
export async function findCodesOfPromotions(
  db: Db,
  promotions: readonly { promotion_id: number }[],
): Promise<string[]> {
  if (promotions.length === 0) return [];
  const ids = promotions.map(({ promotion_id }) => promotion_id);
  return db('promotions').whereIn('id', ids).whereNotNull('code').orderBy('id').pluck('code');
}

const DELETE_LINKS = {
  name: 'delete_order_promotions',
  sql: 'DELETE FROM order_promotions WHERE order_id = ? AND promotion_id = ANY(?::integer[])',
};

const STORE_LINKS = {
  name: 'store_order_promotions',
  sql: `INSERT INTO order_promotions (order_id, promotion_id, used)
     SELECT ?::integer, p.id, l.used
       FROM json_to_recordset(?::json) AS l(promotion_id integer, used boolean) JOIN promotions p ON p.id = l.promotion_id
        FOR KEY SHARE OF p
     ON CONFLICT ON CONSTRAINT order_promotions_pkey DO UPDATE SET used = EXCLUDED.used`,
};

/** Builds the writes of what differs between the promotions of an order. Promotions deleted meanwhile are ignored. */
export function buildPromotionWrites(
  before: Pick<OrderGraph, 'id' | 'promotions'>,
  { promotions }: Pick<OrderGraph, 'promotions'>,
): BoundStatement[] {
  if (before.promotions === promotions) return [];
  const stored = new Map(before.promotions.map(({ promotion_id, used }) => [promotion_id, used]));
  const left = new Set(promotions.map(({ promotion_id }) => promotion_id));
  const removed = [...stored.keys()].filter((id) => !left.has(id));
  const changed = promotions.filter(({ promotion_id, used }) => stored.get(promotion_id) !== used);
  return [
    ...(removed.length > 0 ? [{ statement: DELETE_LINKS, bindings: [before.id, removed] }] : []),
    ...(changed.length > 0
      ? [{ statement: STORE_LINKS, bindings: [before.id, JSON.stringify(changed)] }]
      : []),
  ];
}

/**
 * Locks the promotions of these actions whose use is limited, in total or per buyer: no other transaction can complete
 * an order with them. Ascending by id; after the lock of the order and before those of stock items.
 */
export async function lockScarcePromotions(tx: Tx, actionIds: readonly number[]): Promise<void> {
  await tx.raw(
    `SELECT p.id FROM promotions p
      WHERE p.id IN (SELECT promotion_id FROM promotion_actions WHERE id = ANY(?::integer[]))
        AND (p.usage_limit IS NOT NULL OR EXISTS (
              SELECT 1 FROM promotion_rules r
               WHERE r.promotion_id = p.id AND r.type IN ('first_order', 'one_use_per_user')))
      ORDER BY p.id FOR NO KEY UPDATE`,
    [[...actionIds]],
  );
}

/**
 * Locks the limited promotions that a canceled order used, ascending by id, before stock items.
 * @returns whether other orders have since reached the limit of one of them
 */
export async function lockUsedUpPromotions(tx: Tx, order: LockedOrder): Promise<boolean> {
  const limited = `
    SELECT p.id FROM promotions p JOIN order_promotions own ON own.promotion_id = p.id
     WHERE own.order_id = ? AND own.used AND p.usage_limit IS NOT NULL`;
  await tx.raw(`${limited} ORDER BY p.id FOR NO KEY UPDATE OF p`, [order.id]);
  const { rows } = await tx.raw<{ rows: unknown[] }>(`${limited} AND ${IS_USED_UP} LIMIT 1`, [
    order.id,
    order.id,
  ]);
  return rows.length > 0;
}
