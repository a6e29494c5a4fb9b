import type { Ctx, Deps } from '../../../src/sales/context';
import type { Actor } from '../../../src/access/actor';
import { loadOrderGraph } from '../../../src/sales/order/load-order-graph';
import type { OrderGraph } from '../../../src/sales/order/order-graph';
import { deriveOrderToken } from '../../../src/sales/order/order-token';
import { setTimes } from './set-times';
import type { Story } from './stories';

/** The records in this store that the stories refer to. */
export interface Cast {
  deps: Deps;
  /** The current time; no event of a story is later. */
  today: Date;
  staff: Actor;
  /** Customers by e-mail. */
  customers: ReadonlyMap<string, Actor>;
  methods: { card: number; check: number };
  stock_location_id: number;
  reason_ids: readonly number[];
  /** The e-mails of the buyers whose card is saved: each has one. */
  withCard: Set<string>;
}

/** A story during its replay. */
export interface Replay extends Cast {
  story: Story;
  /** The order as created; `loadOrder` reads its current state. */
  order: OrderGraph;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Creates the context of an actor in the story, the given number of days after its start. The clock stands still. */
export function createCtx({ deps, today, story, order }: Replay, actor: Actor, daysLater: number): Ctx {
  const token = actor.kind === 'guest' ? deriveOrderToken(deps.secret, order.token_seed) : null;
  return { ...createActorCtx(deps, actor, calculateTime(today, story, daysLater)), orderToken: token };
}

/** Moves the timestamps of the step that was just replayed. */
export async function setStepTimes({ deps, order, today, story }: Replay, daysLater: number): Promise<void> {
  await setTimes(deps.db, order.id, calculateTime(today, story, daysLater));
}

/** Loads the current state of the order. */
export async function loadOrder({ deps, order }: Replay): Promise<OrderGraph> {
  return loadOrderGraph(deps.db, order.id);
}

/** Calculates the time the given number of days after the start of a story, at least one hour ago. */
export function calculateTime(today: Date, story: Story, daysLater: number): Date {
  const days = Math.max(story.days_ago - daysLater, HOUR_MS / DAY_MS);
  return new Date(today.getTime() - days * DAY_MS);
}

/** Creates the context of an actor at a time, without an order token. */
export function createActorCtx(deps: Deps, actor: Actor, now: Date): Ctx {
  return { ...deps, now: () => now, actor, orderToken: null, requestId: 'demo', clientAddress: 'demo' };
}
