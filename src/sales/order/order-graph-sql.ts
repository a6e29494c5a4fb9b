import type { PreparedStatement } from '../../platform/database/prepared';
import { SELECT_REVISIONS } from '../../geography/reference-revisions.repository';
import type { VisibilitySql } from '../../catalog/product-queries/visible-products';
import { STORE_MONEY_FORMAT } from '../../catalog/store-settings-sql';
import { selectJsonRows } from './json-rows-sql';
import { selectVariantStates } from './order-variants-sql';
import { JSON_COLUMNS } from './orders.repository';

/** Selects the refunds of the payment with this alias, oldest first, as a JSON array of `RefundRow`. */
export const selectRefunds = (payment: string): string => `
  (SELECT coalesce(json_agg(refund ORDER BY refund.id), '[]'::json)
     FROM (SELECT id, payment_id, payment_operation_id, amount::text, reason, user_id, response_code, created_at
             FROM refunds WHERE refunds.payment_id = ${payment}.id) refund)`;

const ADDRESS = (column: string): string => `(
  SELECT json_build_object(
    'id', a.id, 'firstname', a.firstname, 'lastname', a.lastname, 'address1', a.address1, 'address2', a.address2,
    'city', a.city, 'zipcode', a.zipcode, 'phone', a.phone, 'company', a.company,
    'alternative_phone', a.alternative_phone, 'country_id', a.country_id, 'state_id', a.state_id,
    'state_name', a.state_name,
    'country', (SELECT row_to_json(c) FROM countries c WHERE c.id = a.country_id),
    'state', (SELECT row_to_json(s) FROM states s WHERE s.id = a.state_id))
  FROM addresses a WHERE a.id = o.${column})`;

/**
 * Builds a condition: the running transaction has added the row to order `o`, which existed before. Timestamps are the
 * start of their transaction, compared to the millisecond.
 */
const IS_ADDED = (created_at: string): string =>
  `(abs(extract(epoch FROM ${created_at} - now())) < 0.001 AND ${created_at} > o.created_at)`;

/** Selects the columns of `ShipmentGraph`, except its units and rates, of shipments `s` with their locations `l`. */
const SHIPMENT_COLUMNS = `
           s.id, s.number, s.order_id, s.stock_location_id, s.state, s.cost::text, s.fixed_cost::text, s.tracking, s.tracking_url, s.shipped_at, s.unit_shipped_at,
           s.is_imported,
           s.promo_total::text, s.adjustment_total::text, s.included_tax_total::text, s.additional_tax_total::text,
           s.created_at, s.updated_at, ${IS_ADDED('s.created_at')} AS is_added, l.name AS stock_location_name`;

/** Selects what the payment with this alias waits for; null unless its gateway waits with its decision. */
export const selectWaiting = (payment: string): string => `
  CASE WHEN ${payment}.state = 'processing' THEN (
    SELECT json_build_object('requires_action', waiting.requires_action)
      FROM payment_operations waiting
     WHERE waiting.payment_id = ${payment}.id AND waiting.state = 'started' AND waiting.waits_until IS NOT NULL) END`;

/**
 * A condition on payments `p` with their methods `m`: another user has saved the card in any method of the gateway. What
 * the client has sent as a token may be the profile of a saved card.
 */
export const HAS_FOREIGN_CARD = `EXISTS (
  SELECT FROM credit_cards used
    JOIN credit_cards saved ON saved.gateway_customer_profile_id = used.gateway_payment_profile_id
                            OR saved.gateway_payment_profile_id = used.gateway_payment_profile_id
    JOIN payment_methods method ON method.id = saved.payment_method_id
   WHERE used.id = p.credit_card_id AND used.gateway_payment_profile_id IS NOT NULL
     AND saved.gateway_customer_profile_id IS NOT NULL AND saved.user_id <> coalesce(used.user_id, 0)
     AND method.gateway = m.gateway)`;

/** Columns of payments `p`, their methods `m` and their cards. */
const PAYMENT_AND_METHOD = `
            p.id, p.number, p.order_id, p.payment_method_id, p.credit_card_id, p.amount::text, p.amount_is_explicit,
            p.authorized_amount::text, p.authorized_payment_id, p.state, p.response_code, p.avs_response, p.cvv_response_code, p.created_at, p.updated_at,
            m.name AS payment_method_name, m.method_type, m.active AND m.deleted_at IS NULL AS method_is_active,
            coalesce(m.auto_capture, (SELECT auto_capture FROM stores WHERE is_default), false) AS auto_capture,
            (SELECT row_to_json(card) FROM (
               SELECT id, user_id, payment_method_id, month, year, cc_type, last_digits, name,
                      gateway_customer_profile_id, gateway_payment_profile_id, is_default
                 FROM credit_cards WHERE credit_cards.id = p.credit_card_id) card) AS card`;

/** Selects the columns of `PaymentGraph` of payments `p` with their methods `m`. */
const PAYMENT_COLUMNS = `${PAYMENT_AND_METHOD},
            coalesce((SELECT state_before FROM payment_operations
                       WHERE payment_id = p.id AND payment_operations.state = 'started'), p.state) AS settled_state,
            (SELECT coalesce(sum(amount), 0)::text FROM refunds WHERE refunds.payment_id = p.id) AS refunded,
            ${selectRefunds('p')} AS refunds, ${selectWaiting('p')} AS waiting,
            (SELECT count(*)::integer FROM payment_operations WHERE payment_id = p.id) AS call_count,
            CASE WHEN p.state IN ('checkout', 'processing') THEN ${HAS_FOREIGN_CARD}
                 ELSE false END AS has_foreign_card`;

/** Selects the columns of `LineItemRow`. */
const LINE_ITEMS = `
    SELECT id, order_id, variant_id, quantity, price::text, promo_total::text, adjustment_total::text,
           included_tax_total::text, additional_tax_total::text, price_is_agreed, metadata, public_metadata,
           created_at, ${IS_ADDED('created_at')} AS is_added
      FROM line_items WHERE order_id = o.id`;

const ADJUSTMENTS = `
    SELECT id, order_id, line_item_id, shipment_id, source_type, source_id, amount::text, label, mandatory, included,
           eligible, closed, taxed, rate::text, included_rates::text, action_type, percent::text, sold_amount::text, sold_base::text,
           included_tax::text, additional_tax::text, created_at, updated_at
      FROM adjustments WHERE order_id = o.id`;

const PAYMENTS = `
    SELECT ${PAYMENT_COLUMNS}
      FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id WHERE p.order_id = o.id`;

const SHIPMENTS = `
    SELECT ${SHIPMENT_COLUMNS}
      FROM shipments s JOIN stock_locations l ON l.id = s.stock_location_id WHERE s.order_id = o.id`;

const UNITS = `
    SELECT shipment_id, line_item_id, variant_id, state, count(*)::integer AS quantity,
           count(*) FILTER (WHERE counted)::integer AS counted_quantity
      FROM inventory_units WHERE order_id = o.id
     GROUP BY shipment_id, line_item_id, variant_id, state ORDER BY min(id)`;

/** Selects the columns of `ShippingRateRow`. */
const RATES = `
    SELECT r.id, r.shipment_id, r.shipping_method_id, m.name AS shipping_method_name, m.code AS shipping_method_code,
           r.cost::text, r.display_cost, r.selected, m.deleted_at IS NOT NULL AS method_is_deleted
      FROM shipments s JOIN shipping_rates r ON r.shipment_id = s.id
      JOIN shipping_methods m ON m.id = r.shipping_method_id
     WHERE s.order_id = o.id`;

const PROMOTIONS = `
    SELECT promotion_id, used FROM order_promotions WHERE order_id = o.id ORDER BY promotion_id`;

const PARTS = [
  `${ADDRESS('bill_address_id')} AS bill_address`,
  `${ADDRESS('ship_address_id')} AS ship_address`,
  `${selectJsonRows(LINE_ITEMS, 'r.created_at, r.id')} AS line_items`,
  `${selectJsonRows(ADJUSTMENTS, 'r.created_at, r.id')} AS adjustments`,
  `${selectJsonRows(PAYMENTS, 'r.created_at, r.id')} AS payments`,
  `${selectJsonRows(SHIPMENTS, 'r.created_at, r.id')} AS shipments`,
  `${selectJsonRows(UNITS)} AS units`,
  `${selectJsonRows(RATES, 'r.cost::numeric, r.id')} AS rates`,
  `${selectJsonRows(PROMOTIONS)} AS promotions`,
  `${STORE_MONEY_FORMAT} AS money_format`,
  `EXISTS (SELECT 1 FROM tax_rates WHERE deleted_at IS NULL) AS shop_has_taxes`,
  `EXISTS (SELECT 1 FROM promotions WHERE coalesce(expires_at, 'infinity') > now()) AS shop_has_promotions`,
  `coalesce((SELECT auto_capture_on_dispatch FROM stores WHERE is_default), false) AS captures_on_dispatch`,
  `coalesce((SELECT auto_capture FROM stores WHERE is_default), false) AS captures_at_once`,
  `${SELECT_REVISIONS} AS revisions`,
  `earliest_change() AS read_at`,
  `date_trunc('milliseconds', now()) AS transaction_time`,
];

/** Selects orders as JSON. The driver would describe each of sixty columns again for every statement. */
const selectOrders = (condition: string, parts: readonly string[] = PARTS): string =>
  `SELECT row_to_json(r) AS loaded
     FROM (SELECT ${JSON_COLUMNS}, ${parts.join(', ')} FROM orders o WHERE ${condition}) r`;

/** Binding: the order's id. */
export const ONE_ORDER: PreparedStatement = { name: 'one_order', sql: selectOrders('o.id = ?') };

/** As `ONE_ORDER`, by its number. */
export const ORDER_BY_NUMBER: PreparedStatement = {
  name: 'order_by_number',
  sql: selectOrders('o.number = ?'),
};

/** Selects an order with the states of the variants of its line items and of `others`, more SQL for their ids. */
const selectWithStates = (condition: string, others = '', isSellable?: string): string => {
  const ids = `ARRAY(SELECT variant_id FROM line_items WHERE order_id = o.id ${others})`;
  return selectOrders(condition, [...PARTS, `${selectVariantStates(ids, isSellable)} AS variant_states`]);
};

/** As `ONE_ORDER`, with the states of its variants. */
export const ONE_ORDER_WITH_STATES: PreparedStatement = {
  name: 'one_order_with_states',
  sql: selectWithStates('o.id = ?'),
};

/** As `ORDER_BY_NUMBER`, with the states of its variants. */
export const ORDER_BY_NUMBER_WITH_STATES: PreparedStatement = {
  name: 'order_by_number_with_states',
  sql: selectWithStates('o.number = ?'),
};

/** The statements of `getOrderAndVariantStatement`, by kind of actor. */
const orderAndVariantStatements = new Map<string, PreparedStatement>();

/**
 * Returns the statement that reads an order as `ORDER_BY_NUMBER_WITH_STATES` does, with the state of a variant that an
 * actor of this kind adds, and whether the actor may add each variant. Bindings: those of
 * `sellable`, the variant's id, the order's number.
 */
export function getOrderAndVariantStatement(actorKind: string, sellable: VisibilitySql): PreparedStatement {
  const known = orderAndVariantStatements.get(actorKind);
  if (known !== undefined) return known;
  const statement = {
    name: `order_and_variant_${actorKind}`,
    sql: selectWithStates('o.number = ?', 'UNION ALL SELECT ?::integer', sellable.sql),
  };
  orderAndVariantStatements.set(actorKind, statement);
  return statement;
}

/** As `ONE_ORDER`, for a list of ids. */
export const SEVERAL_ORDERS = selectOrders('o.id = ANY(?::integer[])');
