import { createRevisionMemory } from '../../platform/revision-memory';
import { findProductStates, type ProductState } from './product-states.repository';
import { findVisibleProductState } from './products.repository';
import type { CatalogSource, ProductView } from './product-view';

/** The number of states of each kind that are kept, of about 300 bytes each. */
const MOST_KEPT = 10_000;

/** The states of products, for the revision of the catalog. */
const byId = createRevisionMemory<ProductState, number>({ max: MOST_KEPT });
const byPermalink = createRevisionMemory<ProductState>({ max: MOST_KEPT });

/** Returns the states of these products, in the order of `ids`. Unknown ids are skipped. At most one query. */
export async function getProductStates(
  source: CatalogSource,
  ids: readonly number[],
): Promise<ProductState[]> {
  const revision = source.revision?.value;
  const find = (id: number) => (revision === undefined ? undefined : byId.find(id, revision));
  const states = new Map(ids.map((id) => [id, find(id)]));
  const missing = ids.filter((id) => states.get(id) === undefined);
  const found = missing.length === 0 ? [] : await findProductStates(source.db, missing);
  for (const state of found) {
    states.set(state.id, state);
    if (revision !== undefined) byId.keepFor(revision, state.id, state);
  }
  return ids.flatMap((id) => states.get(id) ?? []);
}

/** Returns the state of the product in view with this permalink, former permalink or id. At most one query. */
export async function findStateByPermalink(
  source: CatalogSource,
  view: ProductView,
  permalink: string,
): Promise<ProductState | undefined> {
  const { db, revision } = source;
  const key = [view.admin, view.deleted, view.discontinued, permalink].join(' ');
  const known = revision && byPermalink.find(key, revision.value, view.now);
  if (known !== undefined) return known;
  const found = await findVisibleProductState(db, view, permalink);
  if (found !== undefined && revision !== undefined)
    byPermalink.keepFor(revision.value, key, found, revision.validUntil);
  return found;
}
