import type { Response } from 'supertest';
import { asAdmin } from './accounts.factory';
import { getDefaultLocationId } from './shipments.factory';

/** A page of a feed as the API returns it. */
export interface FeedPage {
  records: any[];
  next_cursor: string;
  more: boolean;
}

/** Returns the lists that are feeds, with their tables. */
export async function listFeeds(): Promise<[path: string, table: string][]> {
  const location = await getDefaultLocationId();
  return [
    ['/products', 'products'],
    ['/variants', 'variants'],
    ['/orders', 'orders'],
    ['/shipments', 'shipments'],
    ['/payments', 'payments'],
    [`/stock_locations/${location}/stock_items`, 'stock_items'],
    [`/stock_locations/${location}/stock_movements`, 'stock_movements'],
    ['/users', 'users'],
    ['/return_authorizations', 'return_authorizations'],
  ];
}

type Get = (path: string) => Promise<Response>;

/** Reads one page of the feed of a list. `path` may have a query. */
export async function readFeedPage(path: string, cursor: string, get?: Get): Promise<FeedPage> {
  const read = get ?? (async (target) => (await asAdmin()).get(target));
  const reply = await read(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  const { next_cursor, more } = reply.body;
  const records = Object.values(reply.body).find((value) => Array.isArray(value)) as any[];
  return { records, next_cursor, more };
}

/** Reads the feed from a cursor until there is nothing more. */
export async function readFeed(
  path: string,
  cursor = '',
  get?: Get,
): Promise<{ records: any[]; cursor: string }> {
  const records: any[] = [];
  for (let from = cursor; ;) {
    const page = await readFeedPage(path, from, get);
    records.push(...page.records);
    from = page.next_cursor;
    if (!page.more) return { records, cursor: from };
  }
}
