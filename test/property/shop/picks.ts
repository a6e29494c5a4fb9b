import type { KnownOrder, World } from './world';

/** Small numbers that choose what a request is about: of whatever there is by then, so that sequences shrink well. */
export interface Picks {
  who: number;
  order: number;
  which: number;
  /** 0 to 4. */
  amount: number;
}

/** One thing somebody does; what was asked and answered is kept in the world. */
export type Perform = (world: World, picks: Picks) => Promise<unknown>;

export function chosen<T>(list: readonly T[], index: number): T {
  const value = list[index % list.length];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

/** The newest order is 0, so that sequences stay with what they have begun. */
export function orderOf(world: World, { order }: Picks): KnownOrder | undefined {
  return world.orders.length === 0 ? undefined : chosen([...world.orders].reverse(), order);
}
