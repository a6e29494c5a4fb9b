import type { Knex } from 'knex';
import { insertUser, grantRole } from '../../../src/accounts/users/users.repository';
import type { Deps } from '../../../src/sales/context';
import type { Actor } from '../../../src/access/actor';
import { EVERYTHING } from '../../../src/access/scopes';
import { PaymentInProgress } from '../../../src/errors/errors';
import { DomainError, Unavailable } from '../../../src/platform/errors';
import { notifyOrdersAs } from '../../../src/inventory/backorders';
import { adjustStock } from '../../../src/inventory/item-stock';
import { isPgError } from '../../../src/platform/database/pg-errors';
import { withTransaction, type Tx } from '../../../src/platform/database/transaction';
import { hashPassword } from '../../../src/accounts/passwords';
import { CLERK, DEMO_PASSWORD, emailOf, PEOPLE } from './people';
import { setTimes } from './set-times';
import { calculateDemand, planStories, splitExamples, type Story } from './stories';
import { replayStory } from './replay-story';
import type { Cast } from './replay';

/**
 * The name of the row in `seeds`, which is inserted with the demo catalog. Once finished, the load never runs again.
 */
export const DEMO_ORDERS = 'demo orders';

/** Number of orders created in parallel; low, because the load runs in the background. */
const CONCURRENCY = 2;

/** A digest that matches no password: the clerk cannot sign in. */
const NO_PASSWORD = 'none';

/**
 * Creates the customers and about two hundred orders of the demo store, over the past half year and in every state,
 * through the shop's services. Runs only after `loadDemo` has loaded the catalog. Continues after an interruption:
 * orders whose number exists are skipped. Safe to run while the store serves requests, and on several instances at
 * once. Stops early, to be called again, when `isRunning` returns false.
 * @returns the number of orders created; null if there was nothing to do
 */
export async function loadDemoOrders(
  deps: Deps,
  isRunning: () => boolean = () => true,
): Promise<number | null> {
  if (!(await isPending(deps.db))) return null;
  const stories = planStories();
  const cast = await prepareCast(deps, stories);
  if (cast === null) return null;
  await dateInterrupted(deps.db, stories);
  const missing = await findMissing(deps.db, stories);
  const [examples, others] = splitExamples(missing);
  let created = 0;
  const work = async (queue: Iterable<Story>): Promise<void> => {
    for (const story of queue) {
      if (!isRunning()) return;
      if (await tryReplay(cast, story)) created++;
    }
  };
  await work(examples);
  const queue = others.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, () => work(queue)));
  if (isRunning()) await deps.db('seeds').where({ name: DEMO_ORDERS }).update({ finished_at: deps.now() });
  return created;
}

let numbers: ReadonlySet<string> | null = null;

/** Returns whether something happened to a demo order while the orders were created. No mail reports it. */
export async function isDemoHistory(db: Knex, number: string, at: Date): Promise<boolean> {
  numbers ??= new Set(planStories().map((story) => story.number));
  if (!numbers.has(number)) return false;
  const row = await db('seeds')
    .where({ name: DEMO_ORDERS })
    .first<{ finished_at: Date | null } | undefined>('finished_at');
  return row !== undefined && (row.finished_at === null || at <= row.finished_at);
}

async function isPending(db: Knex): Promise<boolean> {
  const row = await db('seeds').where({ name: DEMO_ORDERS, finished_at: null }).first<object | undefined>();
  return row !== undefined;
}

/**
 * Moves what an interruption has left with the time of the database into the past, to the step that the order had reached. Other
 * rows are at least an hour older than the last change of their order.
 */
async function dateInterrupted(db: Knex, stories: readonly Story[]): Promise<void> {
  const { rows } = await db.raw<{ rows: { id: number; reached_at: Date }[] }>(
    `SELECT id, GREATEST(completed_at, canceled_at, (SELECT max(shipped_at) FROM shipments WHERE order_id = orders.id)) AS reached_at
       FROM orders
      WHERE number = ANY(:numbers) AND completed_at IS NOT NULL
        AND EXISTS (SELECT FROM state_changes
                     WHERE order_id = orders.id AND created_at > orders.updated_at - interval '30 minutes')`,
    { numbers: stories.map(({ number }) => number) },
  );
  for (const { id, reached_at } of rows) await setTimes(db, id, reached_at);
}

async function findMissing(db: Knex, stories: readonly Story[]): Promise<Story[]> {
  const numbers = stories.map(({ number }) => number);
  const known = new Set(await db('orders').whereIn('number', numbers).pluck<string[]>('number'));
  return stories.filter(({ number }) => !known.has(number));
}

/**
 * Replays a story. Returns false if it fails because the owner has changed the shop; other stories are still replayed.
 */
async function tryReplay(cast: Cast, story: Story): Promise<boolean> {
  try {
    await replayStory(cast, story);
    return true;
  } catch (error) {
    // Another instance is creating this order.
    if (isPgError(error) && error.constraint === 'orders_number_unique') return false;
    const isPassing = error instanceof Unavailable || error instanceof PaymentInProgress;
    if (!(error instanceof DomainError) || isPassing) throw error;
    cast.deps.log.debug({ order: story.number, err: error }, 'demo order left unfinished');
    return false;
  }
}

/** Prepares users and stock for the stories; null if the store lacks a location or payment method they need. */
async function prepareCast(deps: Deps, stories: readonly Story[]): Promise<Cast | null> {
  const { db } = deps;
  const location = await db('stock_locations')
    .where({ is_default: true, deleted_at: null })
    .first<{ id: number } | undefined>('id');
  const card = await findMethodId(db, 'bogus');
  const check = await findMethodId(db, 'check');
  if (location === undefined || card === null || check === null) return null;
  const digest = await hashPassword(DEMO_PASSWORD);
  const users = await withTransaction(deps, async (tx) => {
    // Serialize instances that start at once, so that users are created and stock is received only once.
    await tx.raw('LOCK TABLE seeds IN SHARE ROW EXCLUSIVE MODE');
    await receiveDemand(tx, deps, { stories, stock_location_id: location.id });
    return ensureUsers(tx, digest);
  });
  return {
    deps,
    today: deps.now(),
    ...users,
    methods: { card, check },
    stock_location_id: location.id,
    withCard: new Set(),
    reason_ids: await db('return_authorization_reasons').orderBy('id').pluck<number[]>('id'),
  };
}

async function findMethodId(db: Knex, gateway: string): Promise<number | null> {
  const method = await db('payment_methods')
    .where({ gateway, active: true, deleted_at: null })
    .first<{ id: number } | undefined>('id');
  return method?.id ?? null;
}

async function ensureUsers(tx: Tx, digest: string): Promise<Pick<Cast, 'staff' | 'customers'>> {
  const customers = new Map<string, Actor>();
  for (const person of PEOPLE.filter(({ has_account }) => has_account)) {
    const email = emailOf(person);
    customers.set(email, {
      kind: 'customer',
      user_id: await ensureUser(tx, { email, password_digest: digest }, 'customer'),
      email,
      token_id: 0,
      token_name: '',
      grants: [],
      tokenGrants: [EVERYTHING],
      isStaff: false,
    });
  }
  const email = emailOf(CLERK);
  return {
    customers,
    staff: {
      kind: 'admin',
      user_id: await ensureUser(tx, { email, password_digest: NO_PASSWORD }, null),
      email,
      token_id: 0,
      token_name: '',
      grants: [EVERYTHING],
      tokenGrants: [EVERYTHING],
      isStaff: true,
    },
  };
}

async function ensureUser(
  tx: Tx,
  account: { email: string; password_digest: string },
  role: string | null,
): Promise<number> {
  const known = await tx('users').where({ email: account.email }).first<{ id: number } | undefined>('id');
  if (known !== undefined) return known.id;
  const nowhere = { bill_address_id: null, ship_address_id: null };
  const id = await insertUser(tx, { ...account, ...nowhere });
  if (role !== null) await grantRole(tx, id, role);
  return id;
}

/** Receives the stock that the orders will take, so that the final counts are those of the demo catalog. */
async function receiveDemand(
  tx: Tx,
  deps: Deps,
  { stories, stock_location_id }: { stories: readonly Story[]; stock_location_id: number },
): Promise<void> {
  const seed = await tx('seeds').where({ name: DEMO_ORDERS }).first<{ delivered_at: Date | null }>();
  if (seed.delivered_at !== null) return;
  const demand = calculateDemand(stories);
  const items = await tx('stock_items')
    .join('variants', 'variants.id', 'stock_items.variant_id')
    .where({ stock_location_id, 'stock_items.deleted_at': null, track_inventory: true })
    .where('count_on_hand', '>', 0)
    .whereIn('variants.sku', [...demand.keys()])
    .orderBy('stock_items.id')
    .select<{ id: number; sku: string }[]>('stock_items.id', 'variants.sku');
  const deliveries = items.map(({ id, sku }) => ({
    stock_item_id: id,
    quantity: demand.get(sku) ?? 0,
    action: 'received',
  }));
  await adjustStock(tx, deliveries, notifyOrdersAs(deps, tx, null));
  await tx('seeds').where({ name: DEMO_ORDERS }).update({ delivered_at: deps.now() });
}
