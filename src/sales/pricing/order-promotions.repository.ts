import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { OrderRow } from '../order/orders.repository';
import { IS_RUNNING, IS_USED_UP } from './promotion-graph';

/** What rules ask that the order itself does not tell. */
export interface Purchase {
  products: { variant_id: number; product_id: number; taxon_ids: number[] }[];
  has_bought_before: boolean;
  used_promotion_ids: number[];
}

type Buyer = Pick<OrderRow, 'id' | 'user_id' | 'email'>;

/**
 * The products of these variants with those of `taxon_ids` they lie under, and what else the order's buyer (its user,
 * or whoever has its e-mail address) has bought. One statement.
 */
export async function loadPurchase(
  db: Db,
  buyer: Buyer,
  about: { variant_ids: readonly number[]; taxon_ids: readonly number[]; promotion_ids: readonly number[] },
): Promise<Purchase> {
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
                 FROM variants v WHERE v.id = ANY(CAST(:variant_ids AS integer[]))) g) AS goods,
            EXISTS (SELECT 1 FROM other_orders WHERE completed_at IS NOT NULL) AS has_bought_before,
            ARRAY(SELECT DISTINCT used.promotion_id
                    FROM other_orders JOIN order_promotions used ON used.order_id = other_orders.id
                   WHERE used.used AND used.promotion_id = ANY(CAST(:promotion_ids AS integer[]))) AS used_promotion_ids`,
    {
      order_id: buyer.id,
      user_id: buyer.user_id,
      // An empty address is nobody's.
      email: buyer.email === '' ? null : buyer.email,
      taxon_ids: [...about.taxon_ids],
      variant_ids: [...about.variant_ids],
      promotion_ids: [...about.promotion_ids],
    },
  );
  const [purchase] = rows;
  if (purchase === undefined) throw new Error('a statement without FROM gave no row');
  return purchase;
}

/** Notes that a code was entered on an order. @returns false when it had been before */
export async function linkPromotion(tx: Tx, orderId: number, promotionId: number): Promise<boolean> {
  const linked = await tx('order_promotions')
    .insert({ order_id: orderId, promotion_id: promotionId })
    .onConflict(['order_id', 'promotion_id'])
    .ignore()
    .returning<{ promotion_id: number }[]>('promotion_id');
  return linked.length > 0;
}

/** Takes the code off the order, whatever the letter case. @returns how many went: 0 when it was not entered */
export async function unlinkPromotion(tx: Tx, orderId: number, code: string): Promise<number> {
  return tx('order_promotions')
    .where({ order_id: orderId })
    .whereIn('promotion_id', tx('promotions').select('id').whereRaw('lower(code) = lower(?)', [code]))
    .delete();
}

/** Takes all codes off an order, and gives back what it used. */
export async function unlinkPromotions(tx: Tx, orderId: number): Promise<void> {
  await tx('order_promotions').where({ order_id: orderId }).delete();
}

/** Takes those codes off an order that nobody, or nobody else, can use any more. */
export async function unlinkLostPromotions(tx: Tx, orderId: number): Promise<void> {
  await tx.raw(
    `DELETE FROM order_promotions l USING promotions p
      WHERE p.id = l.promotion_id AND NOT (${IS_RUNNING} AND NOT ${IS_USED_UP}) AND l.order_id = ?`,
    [orderId, orderId],
  );
}

/**
 * Locks those promotions of these actions that only so many orders, or one order of each buyer, may use: until the
 * transaction ends nobody else can complete an order with them. By id; comes after the order's lock, before stock.
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

/** Notes that the order uses the promotions of these actions, as far as nobody has deleted them. */
export async function claimPromotions(tx: Tx, orderId: number, actionIds: readonly number[]): Promise<void> {
  await tx.raw(
    `INSERT INTO order_promotions (order_id, promotion_id, used)
     SELECT ?::integer, id, true FROM promotions
      WHERE id IN (SELECT promotion_id FROM promotion_actions WHERE id = ANY(?::integer[])) FOR KEY SHARE
     ON CONFLICT ON CONSTRAINT order_promotions_pkey DO UPDATE SET used = true`,
    [orderId, [...actionIds]],
  );
}

/** The order uses no promotion after all; the codes entered stay. */
export async function releasePromotions(tx: Tx, orderId: number): Promise<void> {
  await tx('order_promotions').where({ order_id: orderId, used: true }).update({ used: false });
}
