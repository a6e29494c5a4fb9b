import type { Knex } from 'knex';
import { findViolations } from '../src/sales/verify/find-violations';
import { checkMoney } from './claims-money';
import type { ReceivedMail } from './outside';
import type { Quiet } from './quiet';
import type { Sale } from './sales';
import type { Shop } from './shop';
import type { Stage } from './stage';

/** What a run leaves, on which the claims are checked. */
export interface Evidence {
  db: Knex;
  stage: Stage;
  shop: Shop;
  sales: readonly Sale[];
  quiet: Quiet;
  settleSeconds: number;
  /** Replies that a client must never get. */
  unexpected: readonly string[];
}

export interface Claim {
  name: string;
  /** How much was checked. */
  checked: number;
  breaches: string[];
}

/** Checks everything that the store promises about the run. */
export async function checkClaims(evidence: Evidence): Promise<Claim[]> {
  const { stage, unexpected, sales } = evidence;
  return [
    {
      name: 'every request is answered in the end, as documented',
      checked: sales.length,
      breaches: [...unexpected],
    },
    { name: 'no process exits by itself', checked: 2, breaches: stage.unexpectedExits },
    await checkSales(evidence),
    ...(await checkMoney(evidence)),
    await checkStock(evidence),
    await checkOnce(evidence),
    await checkMails(evidence),
    ...(await checkWebhooks(evidence)),
    checkSettling(evidence),
    await checkRecords(evidence),
  ];
}

interface OrderRow {
  number: string;
  state: string;
  email: string;
  is_complete: boolean;
  shipped: number;
  returned: number;
}

async function listOrders(db: Knex): Promise<Map<string, OrderRow>> {
  const { rows } = await db.raw<{ rows: OrderRow[] }>(
    `SELECT number, state, email, completed_at IS NOT NULL AS is_complete,
            (SELECT count(*) FROM shipments WHERE order_id = orders.id AND state = 'shipped')::integer AS shipped,
            (SELECT count(*) FROM return_authorizations WHERE order_id = orders.id AND state = 'received')::integer AS returned
       FROM orders`,
  );
  return new Map(rows.map((row) => [row.number, row]));
}

/** What was answered is true, and nothing else happened. */
export async function checkSales({ db, sales }: Evidence): Promise<Claim> {
  const orders = await listOrders(db);
  const breaches = sales.flatMap(({ number, state, isShipped, returns }) => {
    const expected = [true, state, isShipped ? 1 : 0, returns];
    const order = orders.get(number);
    const found = [order?.is_complete, order?.state, order?.shipped, order?.returned];
    return String(expected) === String(found)
      ? []
      : [
          `order ${number}: expected complete, state, shipped, returned ${String(expected)}; found ${String(found)}`,
        ];
  });
  const known = new Set(sales.map(({ number }) => number));
  const strangers = [...orders.values()].filter(
    ({ number, is_complete }) => is_complete && !known.has(number),
  );
  return {
    name: 'every order answered as complete is complete, and no other',
    checked: sales.length,
    breaches: [
      ...breaches,
      ...strangers.map(({ number }) => `order ${number} is complete, but no client knows`),
    ],
  };
}

export async function checkStock({ db, shop, sales }: Evidence): Promise<Claim> {
  const { rows } = await db.raw<{ rows: { variant_id: number; count: number }[] }>(
    'SELECT variant_id, sum(count_on_hand)::integer AS count FROM stock_items WHERE deleted_at IS NULL GROUP BY variant_id',
  );
  const counts = new Map(rows.map(({ variant_id, count }) => [variant_id, count]));
  const breaches = shop.variants.flatMap(({ id, stock }) => {
    const sold = sales.filter(({ variantId }) => variantId === id).reduce((sum, { units }) => sum + units, 0);
    const found = counts.get(id);
    return found === stock - sold ? [] : [`variant ${id}: ${stock} - ${sold} sold, but ${found} on hand`];
  });
  return { name: 'stock is conserved', checked: shop.variants.length, breaches };
}

/** Each of these happens to a record at most once. */
const ONCE = ['order.completed', 'order.canceled', 'shipment.shipped', 'return.received', 'payment.captured'];

export async function checkOnce({ db }: Evidence): Promise<Claim> {
  const { rows } = await db.raw<{ rows: { what: string; count: number }[] }>(
    `SELECT type || ' of ' || subject_type || ' ' || subject_id AS what, count(*)::integer AS count
       FROM events WHERE type = ANY (?) GROUP BY 1`,
    [ONCE],
  );
  const breaches = rows.filter(({ count }) => count > 1).map(({ what, count }) => `${what}: ${count} times`);
  return { name: 'nothing is completed, shipped or returned twice', checked: rows.length, breaches };
}

/** The ids of the mails to an address, by the name of the mail. A repeated delivery has the id of the first one. */
function groupMails(mails: readonly ReceivedMail[], to: string): Record<string, number> {
  const ids = new Set(mails.filter((mail) => mail.to === to).map(({ id }) => id));
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const name = id.split('.')[0] ?? id;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export async function checkMails({ sales, stage }: Evidence): Promise<Claim> {
  const { mails } = stage.outside;
  const breaches = sales.flatMap((sale) => {
    const expected = {
      order_confirmed: 1,
      ...(sale.isShipped && { shipped: 1 }),
      ...(sale.refunds > 0 && { refunded: sale.refunds }),
      ...(sale.returns > 0 && { return_received: sale.returns }),
      ...(sale.state === 'canceled' && { canceled: 1 }),
    };
    const found = groupMails(mails, sale.email);
    const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
    const wrong = [...names].filter((name) => found[name] !== Reflect.get(expected, name));
    return wrong.map((name) => `order ${sale.number}: ${found[name] ?? 0} different mails "${name}"`);
  });
  return Promise.resolve({
    name: 'each mail is sent, and none is written twice',
    checked: mails.length,
    breaches,
  });
}

/** An event as the receiver of webhooks got it. */
interface Sent {
  id: string;
  subject: string;
}

export async function checkWebhooks({ db, stage }: Evidence): Promise<Claim[]> {
  const { received } = stage.outside.receiver;
  const { rows } = await db.raw<{ rows: { id: string; subject: string }[] }>(
    `SELECT event_id::text AS id, subject FROM webhook_deliveries WHERE event_id IS NOT NULL ORDER BY event_id`,
  );
  const { rows: events } = await db.raw<{ rows: [{ count: number }] }>(
    'SELECT count(*)::integer AS count FROM events WHERE id > (SELECT coalesce(min(event_id), 0) - 1 FROM webhook_deliveries)',
  );
  const first: Sent[] = [];
  const seen = new Set<string>();
  const subjects = new Map(rows.map(({ id, subject }) => [id, subject]));
  for (const { headers } of received) {
    const id = readEventId(String(headers['webhook-id']));
    if (!seen.has(id)) first.push({ id, subject: subjects.get(id) ?? 'unknown' });
    seen.add(id);
  }
  const missing = rows.filter(({ id }) => !seen.has(id)).map(({ id }) => `event ${id} was not delivered`);
  if (events[0].count !== rows.length)
    missing.push(`${events[0].count} events, but ${rows.length} of them are to be delivered`);
  const last = new Map<string, number>();
  const disordered = first.flatMap(({ id, subject }) => {
    const before = last.get(subject) ?? 0;
    last.set(subject, Number(id));
    return Number(id) < before ? [`${subject}: event ${id} arrived after event ${before}`] : [];
  });
  return [
    { name: 'each event reaches the webhook', checked: rows.length, breaches: missing },
    { name: 'the events of a record arrive in their order', checked: last.size, breaches: disordered },
  ];
}

function readEventId(webhookId: string): string {
  return /\d+$/.exec(webhookId)?.[0] ?? webhookId;
}

export function checkSettling({ quiet, settleSeconds }: Evidence): Claim {
  const { settledMs, left } = quiet;
  const late =
    settledMs > settleSeconds * 1000 ? [`payments were settled after ${Math.round(settledMs)} ms`] : [];
  const undone = Object.entries(left).filter(([, count]) => count > 0);
  return {
    name: `no payment is at the provider for more than ${settleSeconds} s, and no work is left`,
    checked: 4,
    breaches: [...late, ...undone.map(([name, count]) => `${count} ${name} are not done`)],
  };
}

async function checkRecords({ db }: Evidence): Promise<Claim> {
  const violations = await findViolations(db);
  const breaches = violations.map(
    ({ invariant, total, rows }) => `${invariant}: ${total}, ${rows[0]?.detail ?? ''}`,
  );
  return { name: 'verify finds nothing', checked: 1, breaches };
}
