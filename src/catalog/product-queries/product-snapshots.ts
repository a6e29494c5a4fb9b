import { createRevisionMemory } from '../../platform/revision-memory';
import { findProductSnapshots, type ProductSnapshot } from './product-snapshots.repository';
import { findVisibleProductSnapshot } from './products.repository';
import type { CatalogSource, ProductView } from './product-view';

/** The number of snapshots of each kind that are kept, of about 300 bytes each. */
const MOST_KEPT = 10_000;

/** The snapshots of products, for the revision of the catalog. */
const byId = createRevisionMemory<ProductSnapshot, number>({ max: MOST_KEPT });
const byPermalink = createRevisionMemory<ProductSnapshot>({ max: MOST_KEPT });

/** Returns the snapshots of these products, in the order of `ids`. Unknown ids are skipped. At most one query. */
export async function getProductSnapshots(
  source: CatalogSource,
  ids: readonly number[],
): Promise<ProductSnapshot[]> {
  const revision = source.revision?.value;
  const find = (id: number) => (revision === undefined ? undefined : byId.find(id, revision));
  const snapshots = new Map(ids.map((id) => [id, find(id)]));
  const missing = ids.filter((id) => snapshots.get(id) === undefined);
  const found = missing.length === 0 ? [] : await findProductSnapshots(source.db, missing);
  for (const snapshot of found) {
    snapshots.set(snapshot.id, snapshot);
    if (revision !== undefined) byId.keepFor(revision, snapshot.id, snapshot);
  }
  return ids.flatMap((id) => snapshots.get(id) ?? []);
}

/** Returns the snapshot of the product in view with this permalink, former permalink or id. At most one query. */
export async function findSnapshotByPermalink(
  source: CatalogSource,
  view: ProductView,
  permalink: string,
): Promise<ProductSnapshot | undefined> {
  const { db, revision } = source;
  const key = [view.admin, view.deleted, view.discontinued, permalink].join(' ');
  const known = revision && byPermalink.find(key, revision.value, view.now);
  if (known !== undefined) return known;
  const found = await findVisibleProductSnapshot(db, view, permalink);
  if (found !== undefined && revision !== undefined)
    byPermalink.keepFor(revision.value, key, found, revision.validUntil);
  return found;
}
