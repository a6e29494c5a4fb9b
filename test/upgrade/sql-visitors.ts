import { Client } from 'pg';

/** Visitors of a store of any version, as SQL. None of their statements waits for a lock above a second: it fails instead. */
export interface Visitors {
  /** Resolves with the first statement that failed. */
  firstFailure: Promise<string>;
  /** Lets the visitors leave. */
  stop: () => Promise<{ visits: number; failures: string[] }>;
}

const PATIENCE_MS = 1_000;

/** What grows with the orders. */
const TABLES = [
  ...['orders', 'line_items', 'shipments', 'payments', 'inventory_units', 'adjustments', 'state_changes'],
  ...['addresses', 'credit_cards', 'payment_operations', 'refunds', 'return_authorizations'],
  ...['stock_items', 'stock_movements', 'users'],
];

/** A page of the catalog, and an order with its parts. */
const READS = [
  `SELECT p.id, p.name, p.slug, prices.amount FROM products p
     JOIN variants v ON v.product_id = p.id AND v.is_master
     JOIN prices ON prices.variant_id = v.id AND prices.deleted_at IS NULL
    WHERE p.deleted_at IS NULL ORDER BY p.id LIMIT 25`,
  `SELECT o.number, o.total, l.quantity, s.state, p.amount, c.to_state FROM orders o
     JOIN line_items l ON l.order_id = o.id
     LEFT JOIN shipments s ON s.order_id = o.id
     LEFT JOIN payments p ON p.order_id = o.id
     LEFT JOIN state_changes c ON c.order_id = o.id
    WHERE o.id = (SELECT max(id) FROM orders)`,
];

/** Takes the locks of every write, and changes nothing. */
const WRITES = TABLES.map((table) => `UPDATE ${table} SET id = id WHERE id = -1`);

/** Starts a visitor who reads, and one who writes. */
export async function startVisitors(url: string): Promise<Visitors> {
  const seen = { visits: 0, failures: [] as string[] };
  let isOpen = true;
  let reportFailure: (failure: string) => void = () => undefined;
  const firstFailure = new Promise<string>((resolve) => (reportFailure = resolve));
  const visit = async (client: Client, statement: string): Promise<void> => {
    try {
      await client.query(statement);
    } catch (error) {
      const failure = `${statement}: ${error instanceof Error ? error.message : String(error)}`;
      seen.failures.push(failure);
      reportFailure(failure);
    }
  };
  const keepVisiting = async (client: Client, statements: readonly string[]): Promise<void> => {
    while (isOpen) {
      for (const statement of statements) await visit(client, statement);
      seen.visits += 1;
    }
    await client.end();
  };
  const clients = await Promise.all(
    [READS, WRITES].map(async (statements) => {
      const client = new Client({ connectionString: url });
      // Statements of a closed connection fail at once, so the loop would never let anything else run.
      client.on('error', () => undefined).once('end', () => (isOpen = false));
      await client.connect();
      await client.query(`SET lock_timeout = ${PATIENCE_MS}`);
      return { client, statements };
    }),
  );
  const done = Promise.all(clients.map(({ client, statements }) => keepVisiting(client, statements)));
  return {
    firstFailure,
    stop: async () => {
      isOpen = false;
      await done;
      return seen;
    },
  };
}
