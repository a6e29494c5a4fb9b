import type { Knex } from 'knex';
import type { Shop } from './shopper';

/** Reads an address within the zones of the seeded shipping methods, and the id of the seeded card payment method. */
export async function readShop(db: Knex): Promise<Shop> {
  const method = await db('payment_methods').where({ name: 'Credit Card' }).first<{ id: number }>('id');
  const state = await db('states')
    .join('countries', 'countries.id', 'states.country_id')
    .where({ 'countries.iso': 'US', 'states.abbr': 'MD' })
    .first<{ state_id: number; country_id: number }>('states.id as state_id', 'states.country_id');
  const address = {
    firstname: 'Ann',
    lastname: 'Lee',
    address1: '12 Oak St',
    city: 'Bethesda',
    phone: '3015550100',
    zipcode: '20814',
    ...state,
  };
  return { address, card_method_id: method.id };
}

/** Adds units to every stock item of the default location. @returns the ids of 2,000 variants */
export async function addStock(db: Knex, units: number): Promise<number[]> {
  await db.raw(
    `WITH items AS (
       UPDATE stock_items SET count_on_hand = count_on_hand + :units
       FROM stock_locations
       WHERE stock_locations.id = stock_items.stock_location_id AND stock_locations.is_default
       RETURNING stock_items.id
     )
     INSERT INTO stock_movements (stock_item_id, quantity, action) SELECT id, :units, 'received' FROM items`,
    { units },
  );
  return db('variants').where({ is_master: false }).orderBy('id').limit(2_000).pluck<number[]>('id');
}

/** Sets the count on hand of one variant in the default location. */
export async function setStock(db: Knex, variantId: number, units: number): Promise<void> {
  await db.raw(
    `WITH item AS (
       SELECT stock_items.id, stock_items.count_on_hand AS old FROM stock_items
       JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
       WHERE stock_locations.is_default AND variant_id = :variantId
     ), moved AS (
       INSERT INTO stock_movements (stock_item_id, quantity, action) SELECT id, :units - old, 'adjusted' FROM item
     )
     UPDATE stock_items SET count_on_hand = :units, backorderable = false FROM item WHERE stock_items.id = item.id`,
    { variantId, units },
  );
}

/** Counts the units of a variant in completed orders, and the units left in stock. */
export async function countUnits(db: Knex, variantId: number): Promise<{ sold: number; left: number }> {
  const { rows } = await db.raw<{ rows: { sold: number; left: number }[] }>(
    `SELECT (SELECT COALESCE(sum(line_items.quantity), 0)::integer FROM line_items
             JOIN orders ON orders.id = line_items.order_id
             WHERE orders.completed_at IS NOT NULL AND line_items.variant_id = :variantId) AS sold,
            (SELECT sum(count_on_hand)::integer FROM stock_items WHERE variant_id = :variantId) AS left`,
    { variantId },
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no variant ${variantId}`);
  return row;
}

/** The statements of `createPastOrders`, which write the orders from `:first` to `:last`. */
const PAST_ORDERS = [
  `CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
   SELECT n, nextval(pg_get_serial_sequence('orders', 'id'))::integer AS id,
     nextval(pg_get_serial_sequence('addresses', 'id'))::integer AS address_id,
     nextval(pg_get_serial_sequence('shipments', 'id'))::integer AS shipment_id,
     nextval(pg_get_serial_sequence('line_items', 'id'))::integer AS line_item_id,
     nextval(pg_get_serial_sequence('payments', 'id'))::integer AS payment_id,
     priced.variant_id, 1 + n % 3 AS quantity, priced.amount AS price,
     timestamptz '2025-01-01' + make_interval(mins => n) AS at
   FROM generate_series(CAST(:first AS integer), CAST(:last AS integer)) AS n
   JOIN (SELECT variant_id, amount, row_number() OVER (ORDER BY variant_id) AS rank FROM prices
         WHERE deleted_at IS NULL ORDER BY variant_id LIMIT 1000) AS priced ON priced.rank = 1 + n % 1000`,
  `INSERT INTO addresses (id, firstname, lastname, address1, city, zipcode, phone, country_id, state_id)
   SELECT address_id, 'Ann', 'Lee ' || n, n || ' Oak St', 'Bethesda', '20814', '3015550100',
     CAST(:country_id AS integer), CAST(:state_id AS integer) FROM filled`,
  `INSERT INTO orders (id, number, token_seed, token_hash, state, email, currency, bill_address_id, ship_address_id,
     item_total, ship_total, total, payment_total, total_quantity, payment_state, shipment_state, completed_at, created_at)
   SELECT id, 'P' || lpad(n::text, 9, '0'), decode(md5(n::text), 'hex'), sha256(convert_to('filled ' || n, 'UTF8')),
     'complete', 'shopper-' || n || '@example.com', 'USD', address_id, address_id, price * quantity, 5,
     price * quantity + 5, price * quantity + 5, quantity, 'paid', 'ready', at, at FROM filled`,
  `INSERT INTO line_items (id, order_id, variant_id, quantity, price)
   SELECT line_item_id, id, variant_id, quantity, price FROM filled`,
  `INSERT INTO shipments (id, number, order_id, stock_location_id, state, cost)
   SELECT shipment_id, 'H8' || lpad(n::text, 8, '0'), id, (SELECT id FROM stock_locations WHERE is_default), 'ready', 5
   FROM filled`,
  `INSERT INTO shipping_rates (shipment_id, shipping_method_id, cost, display_cost, selected)
   SELECT shipment_id, (SELECT min(id) FROM shipping_methods), 5, '$5.00', true FROM filled`,
  `INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending)
   SELECT id, line_item_id, variant_id, shipment_id, 'on_hand', false FROM filled, generate_series(1, quantity)`,
  // What left stock, as one movement for each shipment.
  `WITH sold AS (
     INSERT INTO stock_movements (stock_item_id, quantity, action, originator_type, originator_id, created_at)
     SELECT stock_items.id, -quantity, 'sold', 'Store::Shipment', shipment_id, at
     FROM filled JOIN stock_items ON stock_items.variant_id = filled.variant_id AND stock_items.deleted_at IS NULL
       AND stock_items.stock_location_id = (SELECT id FROM stock_locations WHERE is_default)
     RETURNING stock_item_id, quantity
   )
   UPDATE stock_items SET count_on_hand = count_on_hand + sums.quantity
   FROM (SELECT stock_item_id, sum(quantity)::integer AS quantity FROM sold GROUP BY stock_item_id) AS sums
   WHERE stock_items.id = sums.stock_item_id`,
  `INSERT INTO payments (id, number, order_id, payment_method_id, amount, authorized_amount, state, created_at)
   SELECT payment_id, 'P8' || lpad(n::text, 8, '0'), id, (SELECT min(id) FROM payment_methods WHERE name = 'Check'),
     price * quantity + 5, price * quantity + 5, 'completed', at FROM filled`,
  `INSERT INTO payment_operations
     (payment_id, kind, event, purpose, amount, idempotency_key, state_before, state, started_at, claimed_until, finished_at)
   SELECT payment_id, 'capture', 'capture', 'payment', price * quantity + 5, 'P8' || lpad(n::text, 8, '0') || '-capture-1',
     'checkout', 'approved', at, at, at FROM filled`,
  `INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state, created_at)
   SELECT id, subject_type, CASE subject_type WHEN 'order' THEN id WHEN 'payment' THEN payment_id ELSE shipment_id END,
     from_state, to_state, at
   FROM filled CROSS JOIN (VALUES (1, 'order', NULL, 'cart'), (2, 'order', 'cart', 'address'),
     (3, 'order', 'address', 'delivery'), (4, 'order', 'delivery', 'payment'), (5, 'payment', NULL, 'checkout'),
     (6, 'order', 'payment', 'confirm'), (7, 'order', 'confirm', 'complete'), (8, 'payment', 'checkout', 'processing'),
     (9, 'payment', 'processing', 'completed'), (10, 'shipment', 'pending', 'ready')
   ) AS step (place, subject_type, from_state, to_state) ORDER BY n, place`,
];

/** Each of them takes the number of its invoice from one row, which is slow to read after many changes in a transaction. */
const PAST_ORDERS_AT_ONCE = 1_000;

/** Writes completed orders with a line item, a shipment and a payment each, equal to those of real checkouts, without events. */
export async function createPastOrders(
  db: Knex,
  { orders, shop }: { orders: number; shop: Shop },
): Promise<void> {
  for (let first = 1; first <= orders; first += PAST_ORDERS_AT_ONCE) {
    const last = Math.min(orders, first + PAST_ORDERS_AT_ONCE - 1);
    await db.transaction(async (tx) => {
      // Publishing them would take minutes of what is measured next.
      await tx.raw("SET LOCAL store.notes_events = 'no'");
      for (const statement of PAST_ORDERS) await tx.raw(statement, { first, last, ...shop.address });
    });
  }
  await db.raw('VACUUM ANALYZE');
}
