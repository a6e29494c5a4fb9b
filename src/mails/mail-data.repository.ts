import type { Db } from '../platform/database/knex';
import { queryPreparedForIds } from '../platform/database/prepared';
import type { PrintedAddress } from '../sales/documents/documents.repository';
import { PRINTED_OPTIONS, PRINTED_SHIP_ADDRESS } from '../sales/documents/packing-slips.repository';

/** Units or lines of one variant; `amount` is null where prices do not matter. */
export interface MailItem {
  name: string;
  options: string | null;
  quantity: number;
  amount: string | null;
}

/** What mails show of an order. Amounts are decimal strings. */
export interface MailOrder {
  id: number;
  number: string;
  /** Null for orders without one. After the customer was erased, one to which nothing can be sent. */
  email: string | null;
  currency: string;
  token_seed: Buffer;
  created_at: Date;
  completed_at: Date | null;
  canceled_at: Date | null;
  item_total: string;
  ship_total: string;
  total: string;
  ship_address: PrintedAddress | null;
  items: MailItem[];
  /** Discounts and other adjustments that are not in the prices, by label, then taxes. */
  adjustments: { label: string; amount: string }[];
}

/** It takes longer to plan than to run. */
const ORDERS = {
  name: 'mail_orders',
  sql: (ids: string) => `
  SELECT o.id, o.number, o.email, o.currency, o.token_seed, o.created_at, o.completed_at, o.canceled_at, o.item_total,
         o.ship_total, o.total, ${PRINTED_SHIP_ADDRESS} AS ship_address,
         (SELECT coalesce(json_agg(json_build_object('name', product.name, 'options', ${PRINTED_OPTIONS}, 'quantity', l.quantity,
                   'amount', (l.price * l.quantity)::text) ORDER BY l.id), '[]')
            FROM line_items l JOIN variants variant ON variant.id = l.variant_id JOIN products product ON product.id = variant.product_id
           WHERE l.order_id = o.id) AS items,
         (SELECT coalesce(json_agg(json_build_object('label', label, 'amount', amount::text) ORDER BY is_tax, first), '[]')
            FROM (SELECT label, sum(amount) AS amount, min(id) AS first,
                         bool_or(source_type IS NOT DISTINCT FROM 'Store::TaxRate') AS is_tax FROM adjustments
                   WHERE order_id = o.id AND eligible AND NOT included GROUP BY label HAVING sum(amount) <> 0) named) AS adjustments
    FROM orders o WHERE o.id = ANY (${ids})`,
};

/** Returns these orders that exist, by id. */
export async function findMailOrders(db: Db, ids: readonly number[]): Promise<Map<number, MailOrder>> {
  const orders = await queryPreparedForIds<MailOrder>(db, ORDERS, [...new Set(ids)]);
  return new Map(orders.map((order) => [order.id, order]));
}

/** A parcel. */
export interface MailShipment {
  tracking: string | null;
  tracking_url: string | null;
  /** The `tracking_url` of its method. */
  template: string | null;
  shipped_at: Date | null;
  /** It left before its order was imported. */
  is_imported: boolean;
  items: MailItem[];
}

const itemsOf = (condition: string): string => `
  (SELECT coalesce(json_agg(item ORDER BY item.name), '[]')
     FROM (SELECT product.name, ${PRINTED_OPTIONS} AS options, count(*)::integer AS quantity, NULL AS amount
             FROM inventory_units unit JOIN variants variant ON variant.id = unit.variant_id
             JOIN products product ON product.id = variant.product_id
            WHERE ${condition} GROUP BY product.name, variant.id) item)`;

const SHIPMENT = `
  SELECT s.tracking, s.tracking_url, s.shipped_at, s.is_imported, method.tracking_url AS template,
         ${itemsOf("unit.shipment_id = s.id AND unit.state IN ('shipped', 'returned')")} AS items
    FROM shipments s
    LEFT JOIN shipping_rates rate ON rate.shipment_id = s.id AND rate.selected
    LEFT JOIN shipping_methods method ON method.id = rate.shipping_method_id
   WHERE s.id = ?`;

/** Returns a shipment with the units that it shipped, including those returned since; null if it does not exist. */
export async function findMailShipment(db: Db, id: number): Promise<MailShipment | null> {
  const { rows } = await db.raw<{ rows: MailShipment[] }>(SHIPMENT, [id]);
  return rows[0] ?? null;
}

export interface MailRefund {
  amount: string;
  reason: string | null;
}

/** Returns the last refund of a payment up to a time; null if there is none. */
export async function findMailRefund(db: Db, paymentId: number, until: Date): Promise<MailRefund | null> {
  const found = await db('refunds')
    .where({ payment_id: paymentId })
    .where('created_at', '<=', until)
    .orderBy('id', 'desc')
    .first<MailRefund | undefined>('amount', 'reason');
  return found ?? null;
}

export interface MailReturn {
  number: string;
  items: MailItem[];
}

const RETURN = `
  SELECT r.number, ${itemsOf('unit.return_authorization_id = r.id')} AS items FROM return_authorizations r WHERE r.id = ?`;

/** Returns a return; null if it does not exist. */
export async function findMailReturn(db: Db, id: number): Promise<MailReturn | null> {
  const { rows } = await db.raw<{ rows: MailReturn[] }>(RETURN, [id]);
  return rows[0] ?? null;
}
