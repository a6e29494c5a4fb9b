import { CATALOGUE } from '../products/catalogue';
import { planVariants } from '../variants';
import { PEOPLE, type Person } from './people';

/** How far an order of the demo store has come. */
export type Ending =
  | 'cart'
  | 'address'
  | 'delivery'
  | 'payment'
  | 'confirm'
  /** Complete; the check has not come yet. */
  | 'unpaid'
  /** Complete; the card was authorized and not captured. */
  | 'authorized'
  | 'paid'
  | 'shipped'
  /** One of two shipments has left. */
  | 'partial'
  /** Paid, and waiting for goods. */
  | 'backordered'
  | 'canceled'
  | 'awaiting_return'
  /** Everything came back, and the money with it. */
  | 'returned'
  /** Shipped, and part of the money given back. */
  | 'credited'
  /** A card was declined before another was accepted; nobody has looked at it yet. */
  | 'risky'
  /** As `risky`, looked at and shipped. */
  | 'approved';

export interface Story {
  /** The order's number, by which a load that was interrupted knows what is there. */
  readonly number: string;
  readonly ending: Ending;
  readonly buyer: Person;
  /** Days before today that the order was begun. */
  readonly days_ago: number;
  readonly lines: readonly { sku: string; quantity: number }[];
}

interface Share {
  count: number;
  /** Youngest and oldest, in days. */
  ages: readonly [number, number];
}

const SHARES: Record<Ending, Share> = {
  cart: { count: 10, ages: [1, 40] },
  address: { count: 8, ages: [1, 30] },
  delivery: { count: 8, ages: [1, 30] },
  payment: { count: 8, ages: [1, 20] },
  confirm: { count: 6, ages: [1, 10] },
  unpaid: { count: 16, ages: [1, 14] },
  authorized: { count: 14, ages: [1, 4] },
  paid: { count: 22, ages: [2, 7] },
  shipped: { count: 48, ages: [6, 170] },
  partial: { count: 8, ages: [4, 12] },
  backordered: { count: 10, ages: [3, 20] },
  canceled: { count: 12, ages: [3, 150] },
  awaiting_return: { count: 4, ages: [14, 28] },
  returned: { count: 8, ages: [25, 160] },
  credited: { count: 7, ages: [12, 160] },
  risky: { count: 6, ages: [1, 9] },
  approved: { count: 5, ages: [8, 90] },
};

interface Ware {
  sku: string;
  on_sale_for_days: number;
  stock: string;
}

/** What the demo catalogue sells today; a master only where it has no variants. */
function waresOnSale(): Ware[] {
  return CATALOGUE.filter((product) => product.discontinued_for_days === undefined).flatMap((product) => {
    const [master, ...variants] = planVariants(product);
    const sold = variants.length > 0 ? variants : master === undefined ? [] : [master];
    return sold
      .filter((variant) => product.stock !== 'plenty' || variant.count_on_hand > 0)
      .map(({ sku }) => ({ sku, on_sale_for_days: product.on_sale_for_days, stock: product.stock }));
  });
}

/**
 * About two hundred orders, the oldest first; always the same ones. Lines name goods that were on sale on their day.
 */
export function planStories(): Story[] {
  const chance = mulberry32(20_261_121);
  const wares = waresOnSale();
  const drafts = Object.entries(SHARES).flatMap(
    ([
      ending,
      {
        count,
        ages: [youngest, oldest],
      },
    ]) =>
      Array.from({ length: count }, () => ({
        // Object.entries forgets the key type that the table was checked against.
        ending: ending as Ending,
        days_ago: youngest + chance() * (oldest - youngest),
      })),
  );
  drafts.sort((one, other) => other.days_ago - one.days_ago);
  const numbers = new Set<string>();
  return drafts.map(({ ending, days_ago }) => ({
    number: freshNumber(numbers, chance),
    ending,
    days_ago,
    buyer: pick(PEOPLE, chance),
    lines: planLines(wares, ending, { days_ago, chance }),
  }));
}

/**
 * The first story of each ending apart from the others. They are the examples of the reference: told first and one after
 * another, their lines, addresses and units have the same ids in every fresh demo store.
 */
export function shownFirst(stories: readonly Story[]): [shown: Story[], others: Story[]] {
  const shown = stories.filter(
    ({ ending }, index) => stories.findIndex((story) => story.ending === ending) === index,
  );
  return [shown, stories.filter((story) => !shown.includes(story))];
}

function freshNumber(numbers: Set<string>, chance: () => number): string {
  for (;;) {
    const number = `R${100_000_000 + Math.floor(chance() * 900_000_000)}`;
    if (numbers.has(number)) continue;
    numbers.add(number);
    return number;
  }
}

function planLines(
  wares: readonly Ware[],
  ending: Ending,
  { days_ago, chance }: { days_ago: number; chance: () => number },
): Story['lines'] {
  const onSale = wares.filter((ware) => ware.on_sale_for_days > days_ago + 1);
  const inStock = onSale.filter(({ stock }) => stock === 'plenty' || stock === 'untracked');
  const chosen = new Map<string, number>();
  for (let line = 1 + Math.floor(chance() * 3); line > 0; line--) {
    chosen.set(pick(inStock, chance).sku, 1 + Math.floor(chance() ** 2 * 3));
  }
  const [first] = chosen.keys();
  // A shipment is split in two by taking a unit out of it.
  if (ending === 'partial' && first !== undefined) chosen.set(first, 3);
  if (ending === 'backordered') {
    const waiting = onSale.filter(({ stock }) => stock === 'on_demand');
    chosen.set(pick(waiting, chance).sku, 1);
  }
  return [...chosen].map(([sku, quantity]) => ({ sku, quantity }));
}

/** How many of each SKU the stories take off the shelves for good. */
export function demandOf(stories: readonly Story[]): Map<string, number> {
  const kept: readonly Ending[] = [
    'cart',
    'address',
    'delivery',
    'payment',
    'confirm',
    'canceled',
    'returned',
  ];
  const demand = new Map<string, number>();
  for (const { lines } of stories.filter(({ ending }) => !kept.includes(ending))) {
    for (const { sku, quantity } of lines) demand.set(sku, (demand.get(sku) ?? 0) + quantity);
  }
  return demand;
}

function pick<T>(list: readonly T[], chance: () => number): T {
  const value = list[Math.floor(chance() * list.length)];
  if (value === undefined) throw new Error('The demo content has nothing to choose from.');
  return value;
}

/** Numbers from 0 to below 1 that look like chance and are the same at every run (mulberry32). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
