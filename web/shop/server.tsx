import { dehydrate, type QueryClient } from '@tanstack/preact-query';
import { renderToString } from 'preact-render-to-string';
import { StoreError } from 'store-api-client';
import { App, createQueryClient } from './app';
import { HeadContext, type Head } from './head';
import {
  productQuery,
  productsQuery,
  relatedQuery,
  rowQuery,
  settingsQuery,
  taxonomiesQuery,
  taxonQuery,
} from './queries';
import { createShop, type Shop } from './shop';

/** What the server sends for an address of the shop. */
export interface Rendered {
  status: 200 | 404;
  head: string;
  body: string;
  /** The replies of the API that the page was made of, for the script of the page. */
  data: string;
}

/**
 * Renders a page of the shop. Pages of one visitor (cart, checkout, account) are filled in the browser.
 * @param path the path and query of the page
 * @param origin the address of the store, without a path
 * @param send sends requests to the API
 * @param inTurn runs what takes the processor, when it is the turn of the visitor
 * @throws StoreError if the API refuses a request for another reason than a missing record
 */
export async function renderPage(
  path: string,
  origin: string,
  send: (request: Request) => Promise<Response>,
  inTurn: <T>(work: () => T) => Promise<T>,
): Promise<Rendered> {
  const shop = createShop(origin, send);
  const client = createQueryClient();
  const status = await prefetch(shop, client, path);
  return inTurn(() => {
    const collector: { head: Head | null } = { head: null };
    const body = renderToString(
      <HeadContext.Provider value={collector}>
        <App shop={shop} client={client} path={path} />
      </HeadContext.Provider>,
    );
    const data = dehydrate(client);
    client.clear();
    return {
      status,
      head: writeHead(collector.head ?? { title: 'Shop', canonical: null }, origin),
      body,
      data: writeData('shop-data', 'application/json', data),
    };
  });
}

/** Reads what the page shows. */
async function prefetch(shop: Shop, client: QueryClient, address: string): Promise<200 | 404> {
  const [path = '/', search = ''] = address.split('?');
  const shared = [client.fetchQuery(settingsQuery(shop)), client.fetchQuery(taxonomiesQuery(shop))];
  const read = async (): Promise<200 | 404> => {
    const category = /^\/c\/(.+)$/.exec(path)?.[1];
    const slug = /^\/products\/([^/]+)$/.exec(path)?.[1];
    if (path === '/') {
      await Promise.all([
        client.fetchQuery(rowQuery(shop, 'best_selling')),
        client.fetchQuery(rowQuery(shop, 'newest')),
      ]);
    } else if (category !== undefined) {
      const permalink = decodeURIComponent(category).replace(/\/$/, '');
      await client.fetchQuery(taxonQuery(shop, permalink));
      await client.fetchInfiniteQuery(productsQuery(shop, permalink, search));
    } else if (path === '/search') {
      await client.fetchInfiniteQuery(productsQuery(shop, null, search));
    } else if (slug !== undefined) {
      const product = await client.fetchQuery(productQuery(shop, decodeURIComponent(slug)));
      await client.fetchQuery(relatedQuery(shop, product));
    } else if (!OTHER_PAGES.test(path)) return 404;
    return 200;
  };
  try {
    return await read();
  } catch (error) {
    // There is no such record, or the address asks for what the API refuses.
    if (error instanceof StoreError && error.status < 500 && error.status !== 429) return 404;
    throw error;
  } finally {
    await Promise.all(shared);
  }
}

const OTHER_PAGES = /^\/(cart|checkout|orders\/[^/]+|sign-in|password|account)$/;

function writeHead({ title, description, canonical, facts = [] }: Head, origin: string): string {
  return [
    `<title>${escapeHtml(title)}</title>`,
    description === undefined ? '' : `<meta name="description" content="${escapeHtml(description)}" />`,
    canonical === null
      ? '<meta name="robots" content="noindex" />'
      : `<link rel="canonical" href="${escapeHtml(origin + canonical)}" />`,
    ...facts.map((fact) => writeData(null, 'application/ld+json', fact)),
  ].join('\n    ');
}

/** Writes JSON that no text in it can end. */
const writeData = (id: string | null, type: string, value: unknown): string =>
  `<script${id === null ? '' : ` id="${id}"`} type="${type}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
