import { CATALOGUE } from '../products/catalogue';
import { planVariants } from '../variants';
import { PEOPLE, type Person } from './people';

/** The final state of a demo order. */
export type Ending =
  | 'cart'
  | 'address'
  | 'delivery'
  | 'payment'
  | 'confirm'
  /** Complete; the check has not arrived. */
  | 'unpaid'
  /** Complete; the card was authorized and not captured. */
  | 'authorized'
  | 'paid'
  | 'shipped'
  /** One of two shipments has shipped. */
  | 'partial'
  /** Paid; some units are backordered. */
  | 'backordered'
  | 'canceled'
  | 'awaiting_return'
  /** Fully returned and refunded. */
  | 'returned'
  /** Shipped and partly refunded. */
  | 'credited'
  /** One card was declined before another was accepted; not approved. */
  | 'risky'
  /** As `risky`, then approved and shipped. */
  | 'approved';

export interface Story {
  /** The order number; after an interruption it identifies the orders that exist. */
  readonly number: string;
  readonly ending: Ending;
  readonly buyer: Person;
  /** Number of days ago that the order was created. */
  readonly days_ago: number;
  readonly lines: readonly { sku: string; quantity: number }[];
}

interface Share {
  count: number;
  /** Minimum and maximum age in days. */
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

interface SellableItem {
  sku: string;
  on_sale_for_days: number;
  stock: string;
}

/** Lists what the demo catalog sells today: variants, or the master if there are no variants. */
function listSellableItems(): SellableItem[] {
  return CATALOGUE.filter((product) => product.discontinued_for_days === undefined).flatMap((product) => {
    const [master, ...variants] = planVariants(product);
    const sold = variants.length > 0 ? variants : master === undefined ? [] : [master];
    return sold
      .filter((variant) => product.stock !== 'plenty' || variant.count_on_hand > 0)
      .map(({ sku }) => ({ sku, on_sale_for_days: product.on_sale_for_days, stock: product.stock }));
  });
}

/**
 * Plans about two hundred orders, oldest first; always the same ones. Line items were available on the day of their
 * order.
 */
export function planStories(): Story[] {
  const random = createRandom(20_261_121);
  const items = listSellableItems();
  const drafts = Object.entries(SHARES).flatMap(
    ([
      ending,
      {
        count,
        ages: [youngest, oldest],
      },
    ]) =>
      Array.from({ length: count }, () => ({
        // Object.entries loses the type of the keys.
        ending: ending as Ending,
        days_ago: youngest + random() * (oldest - youngest),
      })),
  );
  drafts.sort((one, other) => other.days_ago - one.days_ago);
  const numbers = new Set<string>();
  return drafts.map(({ ending, days_ago }) => ({
    number: createNumber(numbers, random),
    ending,
    days_ago,
    buyer: pick(PEOPLE, random),
    lines: planLines(items, ending, { days_ago, random }),
  }));
}

/**
 * Separates the first story of each ending from the others. These stories are the examples of the reference. They are
 * replayed first and sequentially, so that their line items, addresses and units have the same ids in every new demo
 * store.
 */
export function splitExamples(stories: readonly Story[]): [examples: Story[], others: Story[]] {
  const examples = stories.filter(
    ({ ending }, index) => stories.findIndex((story) => story.ending === ending) === index,
  );
  return [examples, stories.filter((story) => !examples.includes(story))];
}

function createNumber(numbers: Set<string>, random: () => number): string {
  for (;;) {
    const number = `R${100_000_000 + Math.floor(random() * 900_000_000)}`;
    if (numbers.has(number)) continue;
    numbers.add(number);
    return number;
  }
}

function planLines(
  items: readonly SellableItem[],
  ending: Ending,
  { days_ago, random }: { days_ago: number; random: () => number },
): Story['lines'] {
  const onSale = items.filter((item) => item.on_sale_for_days > days_ago + 1);
  const inStock = onSale.filter(({ stock }) => stock === 'plenty' || stock === 'untracked');
  const chosen = new Map<string, number>();
  for (let line = 1 + Math.floor(random() * 3); line > 0; line--) {
    chosen.set(pick(inStock, random).sku, 1 + Math.floor(random() ** 2 * 3));
  }
  const [first] = chosen.keys();
  // Enough units to split one off into a second shipment.
  if (ending === 'partial' && first !== undefined) chosen.set(first, 3);
  if (ending === 'backordered') {
    const onDemand = onSale.filter(({ stock }) => stock === 'on_demand');
    chosen.set(pick(onDemand, random).sku, 1);
  }
  return [...chosen].map(([sku, quantity]) => ({ sku, quantity }));
}

/**
 * Calculates how many units of each SKU the stories sell, excluding orders that are canceled, returned or incomplete.
 */
export function calculateDemand(stories: readonly Story[]): Map<string, number> {
  const withoutDemand: readonly Ending[] = [
    'cart',
    'address',
    'delivery',
    'payment',
    'confirm',
    'canceled',
    'returned',
  ];
  const demand = new Map<string, number>();
  for (const { lines } of stories.filter(({ ending }) => !withoutDemand.includes(ending))) {
    for (const { sku, quantity } of lines) demand.set(sku, (demand.get(sku) ?? 0) + quantity);
  }
  return demand;
}

function pick<T>(list: readonly T[], random: () => number): T {
  const value = list[Math.floor(random() * list.length)];
  if (value === undefined) throw new Error('cannot pick from an empty list of demo content');
  return value;
}

/** Creates a deterministic generator of pseudo-random numbers from 0 (inclusive) to 1 (exclusive) (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
