import { findProductStates, type ProductState } from './product-states.repository';
import { findVisibleProductState } from './products.repository';
import type { CatalogSource, ProductView } from './product-view';

interface KeptStates {
  byId: Map<number, ProductState>;
  byPermalink: Map<string, ProductState>;
}

/** The number of states of each kind that are kept, of about 300 bytes each. */
const MOST_KEPT = 10_000;

const kept = new WeakMap<object, KeptStates>();

/** Returns the states of these products, in the order of `ids`. Unknown ids are skipped. At most one query. */
export async function getProductStates(
  source: CatalogSource,
  ids: readonly number[],
): Promise<ProductState[]> {
  const states = findKept(source)?.byId ?? new Map<number, ProductState>();
  const missing = ids.filter((id) => !states.has(id));
  if (missing.length === 0) return ids.flatMap((id) => states.get(id) ?? []);
  const found = await findProductStates(source.db, missing);
  const read = new Map(found.map((state) => [state.id, state]));
  const all = ids.flatMap((id) => read.get(id) ?? states.get(id) ?? []);
  for (const state of found) keep(states, state.id, state);
  return all;
}

/** Returns the state of the product in view with this permalink, former permalink or id. At most one query. */
export async function findStateByPermalink(
  source: CatalogSource,
  view: ProductView,
  permalink: string,
): Promise<ProductState | undefined> {
  const states = findKept(source)?.byPermalink;
  const key = [view.admin, view.deleted, view.discontinued, permalink].join(' ');
  const known = states?.get(key);
  if (known !== undefined) return known;
  const found = await findVisibleProductState(source.db, view, permalink);
  if (found !== undefined && states !== undefined) keep(states, key, found);
  return found;
}

function findKept({ revision }: CatalogSource): KeptStates | undefined {
  if (revision === undefined) return undefined;
  const known = kept.get(revision);
  if (known !== undefined) return known;
  const states: KeptStates = { byId: new Map(), byPermalink: new Map() };
  kept.set(revision, states);
  return states;
}

function keep<K>(states: Map<K, ProductState>, key: K, state: ProductState): void {
  if (states.size >= MOST_KEPT) states.clear();
  states.set(key, state);
}
