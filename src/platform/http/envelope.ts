import { z } from 'zod';
import type { FeedEnd } from '../query-builder/feed';
import { countPages, type Page } from '../query-builder/page';
import type { PagedReply } from './endpoint';
import { joinJson, JsonText } from './json-text';

/** The counts of every paged list. */
const PAGING = {
  count: z.int().meta({ description: 'The number of records on this page.', examples: [1] }),
  total_count: z.int().meta({ description: 'The total number of matching records.', examples: [1] }),
  current_page: z.int().meta({ description: 'The number of this page, from 1.', examples: [1] }),
  per_page: z.int().meta({ description: 'The effective page size.', examples: [25] }),
  pages: z.int().meta({ description: 'The number of pages; 0 if nothing matches.', examples: [1] }),
};

/** What a list that can be read as a feed adds. */
const FEED = {
  next_cursor: z
    .string()
    .optional()
    .describe('The `cursor` of the next page, also of an empty page. Only with `cursor` or `updated_since`.'),
  more: z
    .boolean()
    .optional()
    .describe(
      'Whether to request the next page immediately; false if there is nothing more now. Only with `cursor` or `updated_since`.',
    ),
};

/** Builds the schema of the result of `envelope`. */
export function buildEnvelopeSchema(
  paged: PagedReply<z.ZodType>,
  { isFeed }: { isFeed: boolean },
): z.ZodType {
  return paged.bare === true
    ? z.array(paged.item)
    : z.object({
        ...(paged.isWholeUnlessPaged === true ? z.object(PAGING).partial().shape : PAGING),
        ...(isFeed && FEED),
        [paged.key]: z.array(paged.item).describe('The records of this page.'),
        ...paged.more,
      });
}

/**
 * Builds the JSON of a list: `{count, total_count, current_page, per_page, pages, <key>: rows}`, without the counts if it
 * is whole, or only the rows.
 */
export function buildEnvelope(paged: { key: string; bare?: true }, page: Page<unknown>): unknown {
  if (paged.bare === true) return page.rows;
  const counts = page.isWhole !== true && {
    count: page.rows.length,
    total_count: page.total,
    current_page: page.page,
    per_page: page.per_page,
    pages: countPages(page),
    ...page.feed,
  };
  return isJsonTexts(page.rows)
    ? joinJson({ ...counts, ...page.more }, paged.key, page.rows)
    : { ...counts, [paged.key]: page.rows, ...page.more };
}

function isJsonTexts(rows: readonly unknown[]): rows is readonly JsonText[] {
  return rows.length > 0 && rows.every((row) => row instanceof JsonText);
}

/** Proxies and clients reject headers of more than a few KiB, and Link repeats the query four times. */
const LONGEST_LINK = 4_000;

/**
 * Builds the headers X-Total-Count, X-Page, X-Per-Page, X-Pages and Link of a page; of a page of a feed only Link, to
 * the next page; of a whole list only X-Total-Count. Very long queries have no Link.
 * @param url the path and query of the request
 * @param secret the parameters that Link leaves out
 */
export function buildPagingHeaders(
  page: Page<unknown>,
  url: string,
  secret: readonly string[],
): Record<string, string> {
  if (page.isWhole === true) return { 'X-Total-Count': String(page.total) };
  const target = parseTarget(url, secret);
  if (page.feed !== undefined) return buildFeedHeaders(page.feed, target);
  const pages = countPages(page);
  const link = buildLinkHeader(target, page, pages);
  return {
    'X-Total-Count': String(page.total),
    'X-Page': String(page.page),
    'X-Per-Page': String(page.per_page),
    'X-Pages': String(pages),
    ...(link.length <= LONGEST_LINK && { Link: link }),
  };
}

function buildFeedHeaders({ next_cursor }: FeedEnd, target: URL): Record<string, string> {
  target.searchParams.set('cursor', next_cursor);
  const link = `<${target.pathname}${target.search}>; rel="next"`;
  return link.length <= LONGEST_LINK ? { Link: link } : {};
}

function parseTarget(url: string, secret: readonly string[]): URL {
  const target = new URL(url, 'http://localhost');
  for (const name of secret) target.searchParams.delete(name);
  return target;
}

function buildLinkHeader(target: URL, page: Page<unknown>, pages: number): string {
  const link = (rel: string, number: number): string => {
    target.searchParams.set('page', String(number));
    target.searchParams.set('per_page', String(page.per_page));
    return `<${target.pathname}${target.search}>; rel="${rel}"`;
  };
  const last = Math.max(pages, 1);
  return [
    link('first', 1),
    ...(page.page > 1 ? [link('prev', Math.min(page.page - 1, last))] : []),
    ...(page.page < pages ? [link('next', page.page + 1)] : []),
    link('last', last),
  ].join(', ');
}
