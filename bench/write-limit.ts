import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { Client } from 'pg';
import { CONNECTIONS, measureWork, type Figures } from './load';

/** The ids that the rows refer to. */
interface References {
  variant_id: number;
  stock_item_id: number;
  stock_location_id: number;
  payment_method_id: number;
  shipping_method_ids: number[];
  country_id: number;
}

/** The id of the row that this connection inserted last. It must be in a subquery, or no index is used. */
const lastId = (table: string): string => `(SELECT currval(pg_get_serial_sequence('${table}', 'id')))`;
const ORDER = lastId('orders');

/**
 * Builds the statements that write the rows of a checkout with one line item, in seven commits, one for each request of the
 * checkout. Each commit is sent as one text; there are no reads, rules or lock conflicts.
 */
function buildCommits(to: References, unique: () => string): (() => string)[] {
  const touch = (columns: string) => `UPDATE orders SET ${columns} WHERE id = ${ORDER};`;
  const note = (from: string, state: string) =>
    `INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state)
     VALUES (${ORDER}, 'order', ${ORDER}, '${from}', '${state}');`;
  const address = `INSERT INTO addresses (firstname, lastname, address1, city, zipcode, phone, country_id)
    VALUES ('Ann', 'Lee', '12 Oak St', 'Bethesda', '20814', '3015550100', ${to.country_id});`;
  const rates = to.shipping_method_ids.map(
    (id, at) => `(${lastId('shipments')}, ${id}, 5, '$5.00', ${at === 0})`,
  );
  return [
    () => `INSERT INTO orders (number, token_seed, token_hash, currency)
      VALUES ('W${unique()}', decode(md5('${unique()}'), 'hex'), sha256('${unique()}'), 'USD');`,
    () => `INSERT INTO line_items (order_id, variant_id, quantity, price) VALUES (${ORDER}, ${to.variant_id}, 1, 10);
      ${touch('item_total = 10, total = 10, total_quantity = 1')}`,
    () => touch(`state = 'address'`) + note('cart', 'address'),
    () => `${address} ${address}
      INSERT INTO shipments (number, order_id, stock_location_id, cost)
        VALUES ('W${unique()}', ${ORDER}, ${to.stock_location_id}, 5);
      INSERT INTO shipping_rates (shipment_id, shipping_method_id, cost, display_cost, selected) VALUES ${rates.join(', ')};
      INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state)
        VALUES (${ORDER}, ${lastId('line_items')}, ${to.variant_id}, ${lastId('shipments')}, 'on_hand');
      ${touch(`state = 'delivery', email = 'w@example.com', ship_total = 5, total = 15,
        bill_address_id = ${lastId('addresses')}, ship_address_id = ${lastId('addresses')}`)} ${note('address', 'delivery')}`,
    () => `UPDATE shipments SET cost = 10 WHERE id = ${lastId('shipments')};
      ${touch(`state = 'payment', ship_total = 10, total = 20`)} ${note('delivery', 'payment')}`,
    () => `INSERT INTO credit_cards (payment_method_id, month, year, last_digits, name)
        VALUES (${to.payment_method_id}, '1', '2035', '1111', 'Ann Lee');
      INSERT INTO payments (number, order_id, payment_method_id, credit_card_id, amount)
        VALUES ('W${unique()}', ${ORDER}, ${to.payment_method_id}, ${lastId('credit_cards')}, 20);
      ${touch(`state = 'confirm'`)} ${note('payment', 'confirm')}`,
    () => `UPDATE stock_items SET count_on_hand = count_on_hand - 1 WHERE id = ${to.stock_item_id};
      INSERT INTO stock_movements (stock_item_id, quantity) VALUES (${to.stock_item_id}, -1);
      UPDATE inventory_units SET pending = false WHERE id = ${lastId('inventory_units')};
      INSERT INTO payment_operations (payment_id, kind, event, purpose, amount, idempotency_key, state_before, state,
          claimed_until, finished_at)
        VALUES (${lastId('payments')}, 'authorize', 'x', 'complete_order', 20, 'W${unique()}', 'checkout', 'approved', now(), now());
      UPDATE payments SET state = 'pending', response_code = '12345' WHERE id = ${lastId('payments')};
      ${touch(`state = 'complete', completed_at = now(), payment_state = 'balance_due', shipment_state = 'pending'`)}
      ${note('confirm', 'complete')}`,
  ];
}

/** Measures how many such orders per second PostgreSQL accepts over eight connections. Rates and times are per order. */
export async function measureWriteLimit(
  { db, databaseUrl }: { db: Knex; databaseUrl: string },
  variantIds: readonly number[],
  seconds: number,
): Promise<Figures> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const run = randomBytes(6).toString('hex');
  let count = 0;
  const unique = (): string => `${run}${(count += 1).toString(36)}`;
  const commits = await Promise.all(
    clients.map(async (_, at) => buildCommits(await findReferences(db, variantIds[at] ?? 0), unique)),
  );
  try {
    return await measureWork(async (worker) => {
      // PostgreSQL runs several statements in one query text as one transaction.
      for (const commit of commits[worker] ?? []) await clients[worker]?.query(commit());
    }, seconds);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function findReferences(db: Knex, variantId: number): Promise<References> {
  const { rows } = await db.raw<{ rows: References[] }>(
    `SELECT variant_id, stock_items.id AS stock_item_id, stock_location_id,
       (SELECT min(id) FROM payment_methods) AS payment_method_id,
       ARRAY(SELECT id FROM shipping_methods ORDER BY id LIMIT 3) AS shipping_method_ids,
       (SELECT min(id) FROM countries) AS country_id
     FROM stock_items WHERE variant_id = ? ORDER BY stock_items.id LIMIT 1`,
    [variantId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no stock item for variant ${variantId}`);
  return row;
}
