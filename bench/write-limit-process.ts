/**
 * Sends seven commits for each order over eight connections to DATABASE_URL, and prints the figures as JSON. MODE
 * decides what they write: `bare` one row of a table without indexes, `rows` the rows of a checkout. Every commit is
 * sent at once, in prepared statements; ids are drawn from the sequences in advance.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { CONNECTIONS, measureWork } from './load';

/** The ids that the rows refer to. */
interface References {
  variant_id: number;
  stock_item_id: number;
  stock_location_id: number;
  payment_method_id: number;
  shipping_method_ids: number[];
  country_id: number;
}

type Statement = [text: string, ...values: (string | number | Buffer | null)[]];

/** The ids of the rows of one order. */
type Ids = Record<(typeof TABLES)[number], number>;

const TABLES = [
  'orders',
  'line_items',
  'addresses',
  'shipments',
  'inventory_units',
  'credit_cards',
  'payments',
] as const;

const RESERVED = 200;

/** Builds the statements of the seven commits, one for each request of a checkout. */
function buildCommits(to: References, id: Ids, unique: string): Statement[][] {
  const note = (from: string, state: string): Statement => [
    `INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state) VALUES ($1, 'order', $1, $2, $3)`,
    ...[id.orders, from, state],
  ];
  const rate = (method: number, isSelected: boolean): Statement => [
    `INSERT INTO shipping_rates (shipment_id, shipping_method_id, cost, display_cost, selected) VALUES ($1, $2, 5, '$5.00', $3)`,
    ...[id.shipments, method, String(isSelected)],
  ];
  return [
    [
      [
        `INSERT INTO orders (id, number, token_seed, token_hash, currency) VALUES ($1, $2, $3, $4, 'USD')`,
        ...[id.orders, `W${unique}`, randomBytes(16), createHash('sha256').update(unique).digest()],
      ],
    ],
    [
      [
        'INSERT INTO line_items (id, order_id, variant_id, quantity, price) VALUES ($1, $2, $3, 1, 10)',
        ...[id.line_items, id.orders, to.variant_id],
      ],
      ['UPDATE orders SET item_total = 10, total = 10, total_quantity = 1 WHERE id = $1', id.orders],
    ],
    [[`UPDATE orders SET state = 'address' WHERE id = $1`, id.orders], note('cart', 'address')],
    [
      [
        `INSERT INTO addresses (id, firstname, lastname, address1, city, zipcode, phone, country_id)
         VALUES ($1, 'Ann', 'Lee', '12 Oak St', 'Bethesda', '20814', '3015550100', $2)`,
        ...[id.addresses, to.country_id],
      ],
      [
        'INSERT INTO shipments (id, number, order_id, stock_location_id, cost) VALUES ($1, $2, $3, $4, 5)',
        ...[id.shipments, `W${unique}`, id.orders, to.stock_location_id],
      ],
      ...to.shipping_method_ids.map((method, at) => rate(method, at === 0)),
      [
        `INSERT INTO inventory_units (id, order_id, line_item_id, variant_id, shipment_id, state)
         VALUES ($1, $2, $3, $4, $5, 'on_hand')`,
        ...[id.inventory_units, id.orders, id.line_items, to.variant_id, id.shipments],
      ],
      [
        `UPDATE orders SET state = 'delivery', email = $2, ship_total = 5, total = 15, bill_address_id = $3,
           ship_address_id = $3 WHERE id = $1`,
        ...[id.orders, `${unique}@example.com`, id.addresses],
      ],
      note('address', 'delivery'),
    ],
    [
      ['UPDATE shipments SET cost = 10 WHERE id = $1', id.shipments],
      [`UPDATE orders SET state = 'payment', ship_total = 10, total = 20 WHERE id = $1`, id.orders],
      note('delivery', 'payment'),
    ],
    [
      [
        `INSERT INTO credit_cards (id, payment_method_id, month, year, last_digits, name)
         VALUES ($1, $2, '1', '2035', '1111', 'Ann Lee')`,
        ...[id.credit_cards, to.payment_method_id],
      ],
      [
        'INSERT INTO payments (id, number, order_id, payment_method_id, credit_card_id, amount) VALUES ($1, $2, $3, $4, $5, 20)',
        ...[id.payments, `W${unique}`, id.orders, to.payment_method_id, id.credit_cards],
      ],
      [`UPDATE orders SET state = 'confirm' WHERE id = $1`, id.orders],
      note('payment', 'confirm'),
    ],
    [
      ['UPDATE stock_items SET count_on_hand = count_on_hand + 1 WHERE id = $1', to.stock_item_id],
      ['INSERT INTO stock_movements (stock_item_id, quantity) VALUES ($1, 1)', to.stock_item_id],
      ['UPDATE inventory_units SET pending = false WHERE id = $1', id.inventory_units],
      [
        `INSERT INTO payment_operations (payment_id, kind, event, purpose, amount, idempotency_key, state_before, state,
           claimed_until, finished_at)
         VALUES ($1, 'authorize', 'x', 'complete_order', 20, $2, 'checkout', 'approved', now(), now())`,
        ...[id.payments, `W${unique}`],
      ],
      [`UPDATE payments SET state = 'pending', response_code = '12345' WHERE id = $1`, id.payments],
      [
        `UPDATE orders SET state = 'complete', completed_at = now(), payment_state = 'balance_due',
           shipment_state = 'pending' WHERE id = $1`,
        id.orders,
      ],
      note('confirm', 'complete'),
    ],
  ];
}

const BARE: Statement[][] = Array.from({ length: 7 }, () => [
  ['INSERT INTO bench_commits (n) VALUES ($1)', 1],
]);

/** Sends a commit at once and waits for its end. Each text is one prepared statement. */
async function send(client: Client, names: Map<string, string>, statements: Statement[]): Promise<void> {
  const isSingle = statements.length === 1; // commits by itself
  const sent = isSingle ? [] : [client.query('BEGIN')];
  for (const [text, ...values] of statements) {
    const name = names.get(text) ?? `limit_${names.size}`;
    names.set(text, name);
    sent.push(client.query({ name, text, values }));
  }
  if (!isSingle) sent.push(client.query('COMMIT'));
  await Promise.all(sent);
}

async function reserve(client: Client): Promise<Ids[]> {
  const columns = TABLES.map(
    (table) => `nextval(pg_get_serial_sequence('${table}', 'id'))::integer AS ${table}`,
  );
  const { rows } = await client.query<Ids>(
    `SELECT ${columns.join(', ')} FROM generate_series(1, ${RESERVED})`,
  );
  return rows;
}

async function findReferences(client: Client, variantId: number): Promise<References> {
  const { rows } = await client.query<References>(
    `SELECT variant_id, stock_items.id AS stock_item_id, stock_location_id,
       (SELECT min(id) FROM payment_methods) AS payment_method_id,
       ARRAY(SELECT id FROM shipping_methods ORDER BY id LIMIT 3) AS shipping_method_ids,
       (SELECT min(id) FROM countries) AS country_id
     FROM stock_items WHERE variant_id = $1 ORDER BY stock_items.id LIMIT 1`,
    [variantId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no stock item for variant ${variantId}`);
  return row;
}

async function main(): Promise<void> {
  const { DATABASE_URL = '', VARIANT_IDS = '', SECONDS = '5', MODE = 'rows' } = process.env;
  const variantIds = VARIANT_IDS.split(',').map(Number);
  const run = randomBytes(6).toString('hex');
  let orders = 0;
  const workers = await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, at) => {
      // The type declarations lack `pipeline`.
      const settings: object = { connectionString: DATABASE_URL, pipeline: true };
      const client = new Client(settings);
      await client.connect();
      return {
        client,
        names: new Map<string, string>(),
        to: await findReferences(client, variantIds[at] ?? 0),
      };
    }),
  );
  await workers[0]?.client.query('CREATE TABLE IF NOT EXISTS bench_commits (n integer NOT NULL)');
  const ids = workers.map((): Ids[] => []);
  const writeOrder = async (at: number): Promise<void> => {
    const worker = workers[at];
    const reserved = ids[at];
    if (worker === undefined || reserved === undefined) throw new Error(`there is no worker ${at}`);
    if (reserved.length === 0) reserved.push(...(await reserve(worker.client)));
    const id = reserved.pop();
    if (id === undefined) throw new Error('no ids were reserved');
    const unique = `${run}${(orders += 1).toString(36)}`;
    const commits = MODE === 'bare' ? BARE : buildCommits(worker.to, id, unique);
    for (const commit of commits) await send(worker.client, worker.names, commit);
  };
  await measureWork(writeOrder, 0.5);
  const before = orders;
  const figures = await measureWork(writeOrder, Number(SECONDS));
  process.stdout.write(JSON.stringify({ figures, orders: orders - before }));
  await Promise.all(workers.map(({ client }) => client.end()));
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1); // Connections would keep the process alive.
});
