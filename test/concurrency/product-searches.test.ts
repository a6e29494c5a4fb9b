import { api } from '../support/api';
import { testDb } from '../support/database';
import { waitUntilBlockedBy } from '../support/locks';

const countWaiting = async () => {
  const { rows } = await testDb().raw<{ rows: { waiting: number }[] }>(
    `SELECT count(*)::integer AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return rows[0]?.waiting;
};

test.each([
  ['price filters', 'q[price_gteq]=10&q[price_lteq]=20'],
  ['sorts', 'q[s]=price asc'],
  ['searches', 'search=stripes&facets=options,properties'],
  ['late pages', 'page=4000'],
])('twenty slow %s leave connections for other requests', async (_, query) => {
  const { sent } = await testDb().transaction(async (tx) => {
    await tx.raw('LOCK TABLE products, product_listings, search_documents IN ACCESS EXCLUSIVE MODE');
    const searches = Array.from({ length: 20 }, (__, page) =>
      api({}).get(`/products?${query}&per_page=${page + 10}`),
    );
    // A request is sent when it is awaited.
    const sending = searches.map((search) => Promise.resolve(search));
    await waitUntilBlockedBy(tx);
    const other = await api({}).get('/countries');
    expect(other.status).toBe(200);
    expect(await countWaiting()).toBeLessThanOrEqual(3);
    return { sent: sending };
  });
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
});
