import type { Ctx, Deps } from '../../../src/sales/context';
import type { Actor } from '../../../src/access/actor';
import { loadOrderGraph, type OrderGraph } from '../../../src/sales/order/order-graph';
import { orderToken } from '../../../src/sales/order/order-token';
import { setTimes } from './set-times';
import type { Story } from './stories';

/** Whom and what the stories are about, as it is called in this store. */
export interface Cast {
  deps: Deps;
  /** The end of the past: nothing in a story is later. */
  today: Date;
  staff: Actor;
  /** Customers by e-mail. */
  customers: ReadonlyMap<string, Actor>;
  methods: { card: number; check: number };
  stock_location_id: number;
  reason_ids: readonly number[];
}

/** One order while it is told. */
export interface Telling extends Cast {
  story: Story;
  /** As it was opened; `orderNow` reads how far it has come. */
  order: OrderGraph;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What somebody knows who acts in the story so many days after it began; the clock stands still meanwhile. */
export function ctxOf({ deps, today, story, order }: Telling, actor: Actor, daysLater: number): Ctx {
  const token = actor.kind === 'guest' ? orderToken(deps.secret, order.token_seed) : null;
  return { ...acting(deps, actor, timeOf(today, story, daysLater)), orderToken: token };
}

/** Gives what happened last its time. */
export async function endChapter({ deps, order, today, story }: Telling, daysLater: number): Promise<void> {
  await setTimes(deps.db, order.id, timeOf(today, story, daysLater));
}

/** The order as far as it has come. */
export async function orderNow({ deps, order }: Telling): Promise<OrderGraph> {
  return loadOrderGraph(deps.db, order.id);
}

/** The time so many days into a story. */
export function timeOf(today: Date, story: Story, daysLater: number): Date {
  const days = Math.max(story.days_ago - daysLater, HOUR_MS / DAY_MS);
  return new Date(today.getTime() - days * DAY_MS);
}

/** What `actor` knows at that time, by the story's clock. */
export function acting(deps: Deps, actor: Actor, now: Date): Ctx {
  return { ...deps, now: () => now, actor, orderToken: null, requestId: 'demo', clientAddress: 'demo' };
}
