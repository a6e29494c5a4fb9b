import type { Knex } from 'knex';
import { insertUser, grantRole } from '../../../src/accounts/users/users.repository';
import type { Deps } from '../../../src/sales/context';
import type { Actor } from '../../../src/access/actor';
import { PaymentInProgress } from '../../../src/errors/errors';
import { DomainError, Unavailable } from '../../../src/platform/errors';
import { orderIdsOf } from '../../../src/inventory/backorders';
import { adjustStock } from '../../../src/inventory/stock-ledger';
import { isPgError } from '../../../src/platform/database/pg-errors';
import { withTransaction, type Tx } from '../../../src/platform/database/transaction';
import { CLERK, emailOf, PEOPLE } from './people';
import { demandOf, planStories, shownFirst, type Story } from './stories';
import { tellStory } from './storyteller';
import type { Cast } from './telling';

/** Its row in `seeds` is made with the demo catalogue; finished, it is never begun again. */
export const DEMO_ORDERS = 'demo orders';

/** Two orders are made at once: the machine has other work too, and their buyers do not wait. */
const AT_ONCE = 2;

/** Nobody can sign in with it; an administrator may give a customer a password. */
const NO_PASSWORD = 'none';

/**
 * Fills the demo store with customers and about two hundred orders of the past half year, in every state there is,
 * made through the services of the shop. Begins only where `loadDemo` has filled the catalogue, and goes on where an
 * interruption left it: orders that are there by their number are left as they are. Runs beside a serving store, and
 * beside other instances doing the same. Ends early, to be called again, when `isRunning` turns false.
 * @returns how many orders were made; null when there was nothing to do
 */
export async function loadDemoOrders(
  deps: Deps,
  isRunning: () => boolean = () => true,
): Promise<number | null> {
  if (!(await isWanted(deps.db))) return null;
  const stories = planStories();
  const cast = await castOf(deps, stories);
  if (cast === null) return null;
  const missing = await withoutKnown(deps.db, stories);
  const [shown, others] = shownFirst(missing);
  let told = 0;
  const teller = async (queue: Iterable<Story>): Promise<void> => {
    for (const story of queue) {
      if (!isRunning()) return;
      if (await tell(cast, story)) told++;
    }
  };
  await teller(shown);
  const queue = others.values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => teller(queue)));
  if (isRunning()) await deps.db('seeds').where({ name: DEMO_ORDERS }).update({ finished_at: deps.now() });
  return told;
}

async function isWanted(db: Knex): Promise<boolean> {
  const begun = await db('seeds').where({ name: DEMO_ORDERS, finished_at: null }).first<object | undefined>();
  return begun !== undefined;
}

async function withoutKnown(db: Knex, stories: readonly Story[]): Promise<Story[]> {
  const numbers = stories.map(({ number }) => number);
  const known = new Set(await db('orders').whereIn('number', numbers).pluck<string[]>('number'));
  return stories.filter(({ number }) => !known.has(number));
}

/** A shop that its owner has changed meanwhile refuses some stories; the others are told all the same. */
async function tell(cast: Cast, story: Story): Promise<boolean> {
  try {
    await tellStory(cast, story);
    return true;
  } catch (error) {
    // Another instance is telling it.
    if (isPgError(error) && error.constraint === 'orders_number_unique') return false;
    const isPassing = error instanceof Unavailable || error instanceof PaymentInProgress;
    if (!(error instanceof DomainError) || isPassing) throw error;
    cast.deps.log.debug({ order: story.number, err: error }, 'a demo order stays as it is');
    return false;
  }
}

/** Null where the store lacks what the stories need. */
async function castOf(deps: Deps, stories: readonly Story[]): Promise<Cast | null> {
  const { db } = deps;
  const location = await db('stock_locations')
    .where({ is_default: true, deleted_at: null })
    .first<{ id: number } | undefined>('id');
  const card = await methodId(db, 'bogus');
  const check = await methodId(db, 'check');
  if (location === undefined || card === null || check === null) return null;
  const users = await withTransaction(deps, async (tx) => {
    // Instances that begin at once take turns: each user is made once, and the goods are delivered once.
    await tx.raw('LOCK TABLE seeds IN SHARE ROW EXCLUSIVE MODE');
    await receiveDemand(tx, deps, { stories, stock_location_id: location.id });
    return ensureUsers(tx);
  });
  return {
    deps,
    today: deps.now(),
    ...users,
    methods: { card, check },
    stock_location_id: location.id,
    reason_ids: await db('return_authorization_reasons').orderBy('id').pluck<number[]>('id'),
  };
}

async function methodId(db: Knex, gateway: string): Promise<number | null> {
  const method = await db('payment_methods')
    .where({ gateway, active: true, deleted_at: null })
    .first<{ id: number } | undefined>('id');
  return method?.id ?? null;
}

async function ensureUsers(tx: Tx): Promise<Pick<Cast, 'staff' | 'customers'>> {
  const customers = new Map<string, Actor>();
  for (const person of PEOPLE.filter(({ has_account }) => has_account)) {
    const email = emailOf(person);
    customers.set(email, {
      kind: 'customer',
      user_id: await ensureUser(tx, email, 'customer'),
      email,
      token_id: 0,
    });
  }
  const email = emailOf(CLERK);
  return {
    customers,
    staff: { kind: 'admin', user_id: await ensureUser(tx, email, null), email, token_id: 0 },
  };
}

async function ensureUser(tx: Tx, email: string, role: string | null): Promise<number> {
  const known = await tx('users').where({ email }).first<{ id: number } | undefined>('id');
  if (known !== undefined) return known.id;
  const nowhere = { bill_address_id: null, ship_address_id: null };
  const id = await insertUser(tx, { email, password_digest: NO_PASSWORD, ...nowhere });
  if (role !== null) await grantRole(tx, id, role);
  return id;
}

/** What the orders will take is delivered first, so that the shelves end as full as the catalogue has them. */
async function receiveDemand(
  tx: Tx,
  deps: Deps,
  { stories, stock_location_id }: { stories: readonly Story[]; stock_location_id: number },
): Promise<void> {
  const seed = await tx('seeds').where({ name: DEMO_ORDERS }).first<{ delivered_at: Date | null }>();
  if (seed.delivered_at !== null) return;
  const demand = demandOf(stories);
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
  await adjustStock(tx, deliveries, (units) =>
    deps.onBackordersFilled(tx, { units, order_ids: orderIdsOf(units), user_id: null }),
  );
  await tx('seeds').where({ name: DEMO_ORDERS }).update({ delivered_at: deps.now() });
}
