import { buildViolation, buildRefusal, type Damage } from './damage';

const SALE_OF = (order: string): string =>
  `originator_type = 'Store::Shipment' AND originator_id IN (SELECT id FROM shipments WHERE order_id = :${order})`;
const ITEM_OF = (order: string): string =>
  `(SELECT i.id FROM stock_items i JOIN shipments s ON s.stock_location_id = i.stock_location_id
      JOIN line_items l ON l.order_id = s.order_id AND l.variant_id = i.variant_id
     WHERE s.order_id = :${order} AND i.deleted_at IS NULL LIMIT 1)`;
const RETURN_OF = (order: string): string =>
  `originator_type = 'Store::ReturnAuthorization'
     AND originator_id IN (SELECT id FROM return_authorizations WHERE order_id = :${order} AND state = 'received')`;

/** Deletes the stock item of order `waiting`, which owes 2 units, and creates another at its place. */
const REPLACE_ITEM = [
  `INSERT INTO stock_movements (stock_item_id, quantity, action)
   SELECT id, -count_on_hand, 'removed' FROM stock_items WHERE id = ${ITEM_OF('waiting')}`,
  `UPDATE stock_items SET count_on_hand = 0, deleted_at = now() WHERE id = ${ITEM_OF('waiting')}`,
  `INSERT INTO stock_items (stock_location_id, variant_id, backorderable)
   SELECT stock_location_id, variant_id, true FROM stock_items WHERE id = (
     SELECT stock_item_id FROM stock_movements WHERE action = 'removed' ORDER BY id DESC LIMIT 1)`,
];
const FORMER_ITEM = `(SELECT stock_item_id FROM stock_movements WHERE action = 'removed' ORDER BY id DESC LIMIT 1)`;

const takeOver = (quantity: number, former: string): string[] => [
  `INSERT INTO stock_movements (stock_item_id, quantity, action, originator_type, originator_id)
   SELECT ${ITEM_OF('waiting')}, -${quantity}, 'owed', 'Store::StockItem', ${former}`,
  `UPDATE stock_items SET count_on_hand = count_on_hand - ${quantity} WHERE id = ${ITEM_OF('waiting')}`,
];

/** Damages of what the books say about counted units, deleted stock items and their successors. */
export const stockBookDamages: readonly Damage[] = [
  buildViolation(
    'a counted unit is set to uncounted',
    'sales_are_moved',
    `UPDATE inventory_units SET counted = false WHERE order_id = :paid`,
  ),
  buildViolation(
    'a movement of a sale and the count are changed as if the variant was not tracked',
    'sales_are_moved',
    `UPDATE stock_items SET count_on_hand = count_on_hand - (SELECT sum(quantity) FROM stock_movements WHERE ${SALE_OF('paid')})
      WHERE id = ${ITEM_OF('paid')}`,
    `UPDATE stock_movements SET counted = false WHERE ${SALE_OF('paid')}`,
  ),
  buildViolation(
    'a returned unit is set to uncounted',
    'returns_count_as_sold',
    `UPDATE inventory_units SET counted = false WHERE order_id = :returned AND state = 'returned'`,
  ),
  buildViolation(
    'a movement of a return and the count are changed as if the sale was not counted',
    'returns_count_as_sold',
    `UPDATE stock_items SET count_on_hand = count_on_hand - 1 WHERE id = ${ITEM_OF('returned')}`,
    `UPDATE stock_movements SET counted = false WHERE ${RETURN_OF('returned')}`,
  ),
  buildViolation(
    'a stock item is created again and does not owe the units of its predecessor',
    'backorders_are_owed',
    ...REPLACE_ITEM,
  ),
  buildViolation(
    'a new stock item takes over one unit too few',
    'backorders_are_owed',
    ...REPLACE_ITEM,
    ...takeOver(1, FORMER_ITEM),
  ),
  buildViolation(
    'a new stock item takes over one unit too many',
    'taken_over_units_were_owed',
    ...REPLACE_ITEM,
    ...takeOver(3, FORMER_ITEM),
  ),
  buildViolation(
    'a stock item takes over units of another place',
    'taken_over_units_were_owed',
    ...takeOver(2, ITEM_OF('paid')),
  ),
  buildViolation(
    'a stock item takes over units of a stock item that does not exist',
    'movements_have_their_originator',
    ...takeOver(2, '1000000'),
  ),
  buildRefusal(
    'a deleted stock item counts units',
    'stock_items_deleted_empty',
    `UPDATE stock_items SET deleted_at = now() WHERE id = ${ITEM_OF('paid')}`,
  ),
  buildRefusal(
    'a stock item that is not backorderable owes one more unit',
    'stock_items_count_on_hand_owed',
    `UPDATE stock_items SET backorderable = false WHERE id = ${ITEM_OF('waiting')}`,
    `UPDATE stock_items SET count_on_hand = count_on_hand - 1 WHERE id = ${ITEM_OF('waiting')}`,
  ),
];
