import { buildPagingHeaders } from '../../../src/platform/http/envelope';

const page = (number: number, total = 5) => ({ rows: [], total, page: number, per_page: 2 });
const linkOf = (url: string, number: number, total?: number) =>
  buildPagingHeaders(page(number, total), url, ['token', 'order_token'])['Link'];

test('Link contains the adjacent pages and the search', () => {
  expect(linkOf('/api/v1/things?q[name_cont]=a&page=2', 2)).toBe(
    [
      '</api/v1/things?q%5Bname_cont%5D=a&page=1&per_page=2>; rel="first"',
      '</api/v1/things?q%5Bname_cont%5D=a&page=1&per_page=2>; rel="prev"',
      '</api/v1/things?q%5Bname_cont%5D=a&page=3&per_page=2>; rel="next"',
      '</api/v1/things?q%5Bname_cont%5D=a&page=3&per_page=2>; rel="last"',
    ].join(', '),
  );
});

test('after the last page, the previous page is the last one; an empty list links to one page', () => {
  expect(linkOf('/things', 9)).toContain('page=3&per_page=2>; rel="prev"');
  expect(linkOf('/things', 9)).not.toContain('rel="next"');
  expect(linkOf('/things', 1, 0)).toBe(
    '</things?page=1&per_page=2>; rel="first", </things?page=1&per_page=2>; rel="last"',
  );
});

test('Link contains no token', () => {
  expect(linkOf('/things?token=abc&order_token=def', 1)).not.toMatch(/abc|def/);
});

test('omits Link, but not the counts, if the query is too long for a header', () => {
  const headers = buildPagingHeaders(page(2), `/things?x=${'y'.repeat(2000)}`, []);
  expect(headers).toEqual({ 'X-Total-Count': '5', 'X-Page': '2', 'X-Per-Page': '2', 'X-Pages': '3' });
});
