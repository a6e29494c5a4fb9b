import { buildLoadedGraph, type LoadedVariant, type VariantGraph } from '../../catalog/variant-graph';
import { freeze } from '../../platform/database/kept-data';
import type { Db } from '../../platform/database/knex';
import { cacheReads } from '../../platform/metrics/metrics';
import { queryPreparedForIds } from '../../platform/database/prepared';
import { createRevisionMemory } from '../../platform/revision-memory';
import { VARIANT_STATES, VARIANTS } from './order-variants-sql';

/** A variant of an order with everything that its checkout and its reply need. */
export interface OrderVariant extends VariantGraph {
  /** False if the variant or its product is deleted. */
  is_for_sale: boolean;
  shipping_category_id: number;
  /** Its own, else that of its product. */
  tax_category_id: number | null;
  /** The current price in the order's currency; null if there is none. */
  order_price: string | null;
  /** Whether the actor may add it to the order; null if that was not read. */
  is_sellable: boolean | null;
}

/** The variants of an order that are in memory, by id. Empty if none were read with it. */
export type OrderVariants = ReadonlyMap<number, OrderVariant>;

/** The version of a variant, and what changes without it, in the snapshot of the statement that reads the order. */
export interface VariantState {
  id: number;
  /**
   * That of its product: changes of every table that `VARIANTS` reads change it (docs/decisions/0002-reply-cache.md). Equal
   * versions mean that everything else about the variant is equal, in any copy of the database and after any rollback.
   */
  version: string;
  /** As in `VariantDetailRow`. */
  count_on_hand: string;
  backorderable: boolean;
  is_sellable: boolean | null;
}

/** Everything that the version covers. Its stock is not used. */
interface KeptVariant extends Omit<OrderVariant, 'order_price' | 'is_sellable'> {
  /** The current prices by currency. */
  prices: Readonly<Record<string, string>>;
}

type LoadedColumns = LoadedVariant &
  Pick<KeptVariant, 'is_for_sale' | 'shipping_category_id' | 'tax_category_id'> & {
    version: string;
    prices: Record<string, string> | null;
  };

/** The number of variants that are kept, of a few kilobytes each. */
const MAX_KEPT = 5_000;

const MAX_BYTES = 32 * 1024 * 1024;

/** The objects and texts that a variant consists of, for each character of its JSON. */
const BYTES_PER_CHARACTER = 3;

/** Variants as they were at their last known version. Shared between requests and frozen. */
const kept = createRevisionMemory<KeptVariant, number>({
  max: MAX_KEPT,
  // Each variant has its own copy of the description of its product.
  maxSize: MAX_BYTES,
  sizeOf: (variant) => BYTES_PER_CHARACTER * JSON.stringify(variant).length,
});

/**
 * Returns the variants with these states, with prices in this currency. Those that are not kept at the version of their
 * state are read: one statement at most, usually none. Transactions that change products must not use it, because they
 * may change a product twice under one version.
 * @param currency null for variants without `order_price`
 */
export async function getOrderVariants(
  db: Db,
  states: readonly VariantState[],
  currency: string | null,
): Promise<OrderVariants> {
  // Held here, as the memory may drop them while the others are read.
  const held = new Map(states.map((state) => [state.id, findKept(state)]));
  const missing = states.flatMap(({ id }) => (held.get(id) === undefined ? [id] : []));
  cacheReads.inc({ cache: 'order variants', result: 'miss' }, missing.length);
  cacheReads.inc({ cache: 'order variants', result: 'hit' }, states.length - missing.length);
  const loaded = missing.length === 0 ? null : await loadVariants(db, missing);
  return buildVariants(states, currency, ({ id }) => held.get(id) ?? loaded?.get(id));
}

/**
 * Loads the variants with these ids, including deleted ones, for replies with orders: one statement for their states, and
 * usually none for the rest. Unknown ids are skipped. Transactions that change products must not use it, as above.
 */
export async function loadVariantsOfOrders(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, VariantGraph>> {
  const [row] = await queryPreparedForIds<{ states: VariantState[] }>(db, VARIANT_STATES, ids);
  return getOrderVariants(db, row?.states ?? [], null);
}

/** Returns the variants with these states if all of them are kept; otherwise none. */
export function findKeptVariants(states: readonly VariantState[], currency: string): OrderVariants {
  return states.every((state) => findKept(state) !== undefined)
    ? buildVariants(states, currency, findKept)
    : new Map<number, never>();
}

const findKept = ({ id, version }: VariantState): KeptVariant | undefined => kept.find(id, version);

/** Reads variants and keeps them at the version that was read with them, which may be newer than that of an order. */
async function loadVariants(db: Db, ids: readonly number[]): Promise<Map<number, KeptVariant>> {
  const rows = await queryPreparedForIds<LoadedColumns>(db, VARIANTS, ids);
  const loaded = new Map<number, KeptVariant>();
  for (const { version, is_for_sale, shipping_category_id, tax_category_id, prices, ...variant } of rows) {
    const one = freeze({
      ...buildLoadedGraph(variant),
      is_for_sale,
      shipping_category_id,
      tax_category_id,
      prices: prices ?? {},
    });
    kept.keepFor(version, one.variant.id, one);
    loaded.set(one.variant.id, one);
  }
  return loaded;
}

function buildVariants(
  states: readonly VariantState[],
  currency: string | null,
  find: (state: VariantState) => KeptVariant | undefined,
): OrderVariants {
  const variants = new Map<number, OrderVariant>();
  for (const state of states) {
    const known = find(state);
    if (known !== undefined) variants.set(state.id, buildVariant(known, state, currency));
  }
  return variants;
}

function buildVariant(known: KeptVariant, state: VariantState, currency: string | null): OrderVariant {
  const { count_on_hand, backorderable, is_sellable } = state;
  return {
    variant: { ...known.variant, count_on_hand, backorderable },
    product: known.product,
    option_values: known.option_values,
    images: known.images,
    is_for_sale: known.is_for_sale,
    shipping_category_id: known.shipping_category_id,
    tax_category_id: known.tax_category_id,
    order_price: currency === null ? null : (known.prices[currency] ?? null),
    is_sellable,
  };
}

/** Returns these variants of an order if all of them are in memory; else null. */
export function findKnownVariants(known: OrderVariants, ids: Iterable<number>): OrderVariants | null {
  const wanted = new Set(ids);
  return [...wanted].every((id) => known.has(id))
    ? new Map([...known].filter(([id]) => wanted.has(id)))
    : null;
}
