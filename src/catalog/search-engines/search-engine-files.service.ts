import { createHash } from 'node:crypto';
import { buildStoreUrl } from '../../accounts/stores/sender';
import { findDefaultStore } from '../../accounts/stores/stores.repository';
import type { Deps } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { FileChunk } from '../../platform/http/endpoint';
import { readCatalogRevision } from '../catalog-revisions.repository';
import { getNextAppearance, readVisibility } from '../product-queries/cached-lists';
import type { ProductView } from '../product-queries/product-view';
import {
  buildFeedItem,
  buildFeedStart,
  buildProductUrl,
  buildSitemapEntry,
  buildSitemapIndex,
  FEED_END,
  SITEMAP_END,
  SITEMAP_START,
  type FeedStore,
} from './google-feed';
import { countListedProducts, readOffers, readProductPages } from './listed-offers.repository';

/** The most addresses of one sitemap. */
const MOST_PAGES = 50_000;

/** A file for search engines. */
export interface SearchEngineFile {
  etag: string;
  /** Reads the catalog while it is sent. */
  read: () => AsyncGenerator<FileChunk>;
}

/** Where a request has reached the server. */
export interface RequestedAt {
  /** Scheme and host. */
  origin: string;
  /** The page of a large sitemap; null for its first address. */
  page: number | null;
}

type FileDeps = Pick<Deps, 'db' | 'now'>;

/** Returns the feed of all variants on sale, for Google Merchant Center. @throws NotFound unless the store has feeds */
export async function getGoogleFeed(deps: FileDeps, at: RequestedAt): Promise<SearchEngineFile> {
  const { store, etag } = await prepare(deps, at);
  return { etag, read: () => writeFeed(deps, store) };
}

/** Returns the addresses of all products, or of the parts of a large sitemap. @throws NotFound as `getGoogleFeed` */
export async function getSitemap(deps: FileDeps, at: RequestedAt): Promise<SearchEngineFile> {
  const { store, etag } = await prepare(deps, at);
  return { etag, read: () => writeSitemap(deps, store, at) };
}

/** Tells search engines where the sitemap is. They need no reply of the API. @throws NotFound as `getGoogleFeed` */
export async function getRobots({ db }: FileDeps, { origin }: RequestedAt): Promise<string> {
  if ((await findDefaultStore(db))?.feeds !== true) throw new NotFound();
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`;
}

/** The files change with the catalog, with the settings of the store, and when a product appears by time alone. */
async function prepare(
  { db, now }: FileDeps,
  { origin, page }: RequestedAt,
): Promise<{ store: FeedStore; etag: string }> {
  const found = await findDefaultStore(db);
  if (found?.feeds !== true) throw new NotFound();
  const store: FeedStore = {
    name: found.name,
    url: buildStoreUrl(found, '/'),
    product_url: found.product_url ?? buildStoreUrl(found, '/products/{slug}'),
    files_url: origin,
  };
  const revision = await readCatalogRevision(db);
  const next = await getNextAppearance(db, readVisibility(revision), now());
  const parts = [revision, next?.toISOString() ?? '', store, page];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { store, etag: `W/"${hash.slice(0, 27)}"` };
}

const buildView = ({ now }: FileDeps): ProductView => ({
  admin: false,
  deleted: false,
  discontinued: false,
  now: now(),
});

async function* writeFeed(deps: FileDeps, store: FeedStore): AsyncGenerator<FileChunk> {
  yield buildFeedStart(store);
  for await (const offers of readOffers(deps.db, buildView(deps)))
    yield offers.map((offer) => buildFeedItem(offer, store)).join('');
  yield FEED_END;
}

async function* writeSitemap(
  deps: FileDeps,
  store: FeedStore,
  { origin, page }: RequestedAt,
): AsyncGenerator<FileChunk> {
  const view = buildView(deps);
  const total = page === null ? await countListedProducts(deps.db, view) : 0;
  if (total > MOST_PAGES) {
    yield buildSitemapIndex(`${origin}/sitemap.xml`, Math.ceil(total / MOST_PAGES));
    return;
  }
  yield SITEMAP_START;
  const part = { skipped: ((page ?? 1) - 1) * MOST_PAGES, count: MOST_PAGES };
  for await (const products of readProductPages(deps.db, view, part))
    yield products.map((one) => buildSitemapEntry(buildProductUrl(store, one.slug), one.updated_at)).join('');
  yield SITEMAP_END;
}
