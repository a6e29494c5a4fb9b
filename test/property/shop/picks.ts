import type { KnownOrder, World } from './world';

/** Small numbers that select the records of a request from those that exist by then, so that sequences shrink well. */
export interface Picks {
  who: number;
  order: number;
  which: number;
  /** 0 to 4. */
  amount: number;
}

/** Performs one action. Requests and replies are recorded in the world. */
export type Perform = (world: World, picks: Picks) => Promise<unknown>;

export function choose<T>(list: readonly T[], index: number): T {
  const value = list[index % list.length];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

/** Returns an order; 0 selects the newest, so that sequences continue with the order they began. */
export function chooseOrder(world: World, { order }: Picks): KnownOrder | undefined {
  return world.orders.length === 0 ? undefined : choose([...world.orders].reverse(), order);
}
