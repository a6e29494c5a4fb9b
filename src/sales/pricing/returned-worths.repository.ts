import type { Db } from '../../platform/database/knex';

/** What the units of a line item were worth when they came back, over all received returns. Decimal strings. */
export interface ReturnedWorth {
  line_item_id: number;
  /** Their price; null if they came back at several prices. */
  price: string | null;
  /**
   * The value after discounts, taxes included, without adjustments that are not taxed. Units that followed others whose credit was more
   * than the line item costs now are worth less than nothing, although nothing was credited for them.
   */
  amount: string;
  included_tax: string;
  additional_tax: string;
}

/** Loads what the returned units of an order were worth, one row for each line item. */
export async function findReturnedWorths(
  db: Db,
  { order_id }: { order_id: number },
): Promise<ReturnedWorth[]> {
  const { rows } = await db.raw<{ rows: ReturnedWorth[] }>(
    `SELECT item.line_item_id, CASE WHEN min(item.price) = max(item.price) THEN min(item.price)::text END AS price,
            sum(item.amount - coalesce(item.untaxed, 0))::text AS amount, sum(item.included_tax)::text AS included_tax,
            sum(item.additional_tax)::text AS additional_tax
       FROM return_items item JOIN return_authorizations received ON received.id = item.return_authorization_id
      WHERE received.order_id = ? AND item.amount IS NOT NULL
      GROUP BY item.line_item_id`,
    [order_id],
  );
  return rows;
}
