import type { Knex } from 'knex';
import { pino } from 'pino';
import { loadLargeCatalogue } from '../../../seeds/load/load-catalogue';
import { FACET_BOUNDS } from '../../../src/catalog/product-queries/facet-bounds';
import {
  NO_FILTERS,
  type Facets,
  type ProductFilters,
} from '../../../src/catalog/product-queries/product-filters';
import { splitSearch } from '../../../src/catalog/product-queries/search-words';
import { findSuggestions } from '../../../src/catalog/product-queries/suggestions.repository';
import { findProductPage } from '../../../src/catalog/product-queries/products.repository';
import { productSearch } from '../../../src/catalog/product-queries/products.search';
import { buildListView } from '../../../src/catalog/product-queries/product-view';
import { GUEST } from '../../../src/access/actor';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { parseListQuery } from '../../../src/platform/query-builder/list-query';
import { testDatabaseUrl } from '../../setup/test-server';
import { cloneTemplate, dropClone } from '../../support/database';

const PRODUCTS = 100_000;
const DATABASE = `store_plans_${process.env['JEST_WORKER_ID'] ?? '1'}`;
const NOW = new Date('2026-11-21T00:00:00Z');

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'CTE Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

let db: Knex;

beforeAll(async () => {
  await cloneTemplate(DATABASE);
  db = connectDatabase({
    url: testDatabaseUrl(DATABASE),
    poolSize: 2,
    log: pino({ level: 'error' }),
    timeouts: 'maintenance',
  });
  await fill(db);
});

afterAll(async () => {
  await closeDatabase(db, 5_000);
  await dropClone(DATABASE);
});

/**
 * Inserts products with random words; every 1000th is not on sale yet, every 999th discontinued, a few are
 * deleted.
 */
async function fill(target: Knex): Promise<void> {
  // Building a trigram index once is several times faster than inserting row by row.
  const { rows: indexes } = await target.raw(
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname LIKE '%_trigram'",
  );
  for (const { indexname } of indexes) await target.raw('DROP INDEX ??', [indexname]);
  // Nothing here reads the prices, listings and search documents that triggers would write for each row.
  for (const table of ['products', 'variants', 'prices'])
    await target.raw('ALTER TABLE ?? DISABLE TRIGGER USER', [table]);
  await target.raw(
    `INSERT INTO products (name, slug, description, available_on, discontinue_on, deleted_at, shipping_category_id,
       priced_in)
     SELECT md5('name' || n), 'product-' || n, md5('one' || n) || repeat(' filler', 20),
       CASE WHEN n % 1000 = 0 THEN timestamptz '2030-01-01' ELSE timestamptz '2026-01-01' END,
       CASE WHEN n % 999 = 0 THEN timestamptz '2026-02-01' END,
       CASE WHEN n % 5000 = 1 THEN timestamptz '2026-03-01' END,
       (SELECT min(id) FROM shipping_categories), '{USD}'
     FROM generate_series(1, ?) AS n`,
    [PRODUCTS],
  );
  await target.raw(`
    INSERT INTO variants (product_id, sku, is_master, position)
    SELECT id, 'SKU-' || md5('sku' || id), true, 1 FROM products ORDER BY id;
    INSERT INTO prices (variant_id, currency, amount) SELECT id, 'USD', 10 FROM variants ORDER BY id;
  `);
  for (const { indexdef } of indexes) await target.raw(indexdef);
  for (const table of ['products', 'variants', 'prices']) await target.raw('VACUUM ANALYZE ??', [table]);
}

/**
 * Repeats VACUUM until index-only scans need not read the table: it leaves pages out while another transaction has a snapshot, such as an
 * ANALYZE of autovacuum.
 */
async function untilVisible(target: Knex, table: string): Promise<void> {
  for (;;) {
    await target.raw('VACUUM ANALYZE ??', [table]);
    const { rows } = await target.raw<{ rows: [{ is_visible: boolean }] }>(
      'SELECT relallvisible >= relpages AS is_visible FROM pg_class WHERE oid = ?::regclass',
      [table],
    );
    if (rows[0].is_visible) return;
  }
}

/** Returns the page for these parameters and the statements of the list. */
async function list(parameters: Record<string, unknown>) {
  const statements: { sql: string; bindings: unknown[] }[] = [];
  const note = (statement: { sql: string; bindings: unknown[] }) => statements.push(statement);
  db.on('query', note);
  const list = parseListQuery(parameters, productSearch, false);
  const page = await findProductPage({ db }, list, buildListView({ actor: GUEST, now: () => NOW }));
  db.removeListener('query', note);
  return { page, statements };
}

/** Returns every node of the plan that PostgreSQL uses for the page of these parameters. */
async function explain(parameters: Record<string, unknown>, settings: string[] = []): Promise<PlanNode[]> {
  const { statements } = await list(parameters);
  // A list without conditions may count its products in another statement.
  expect(statements.length).toBeGreaterThan(0);
  const [statement] = statements;
  const explain = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement?.sql.replace(/\$\d+/g, '?') ?? ''}`;
  const [plan] = await db.transaction(async (tx): Promise<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]> => {
    for (const setting of settings) await tx.raw(`SET LOCAL ${setting}`);
    return (await tx.raw(explain, statement?.bindings as never)).rows;
  });
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  plan?.['QUERY PLAN'].forEach((root) => visit(root.Plan));
  return nodes;
}

const listIndexes = (nodes: readonly PlanNode[]) => nodes.map((node) => node['Index Name']).filter(Boolean);

const findFullScans = (nodes: readonly PlanNode[]) =>
  nodes.filter(
    (node) =>
      node['Node Type'] === 'Seq Scan' && ['products', 'variants'].includes(node['Relation Name'] ?? ''),
  );

describe('with 100,000 products', () => {
  test.each([
    ['name', { q: { name_cont: '1a2b3' } }, ['products_name_trigram']],
    ['name, in another order', { q: { name_cont: '1a2b3', s: 'name desc' } }, ['products_name_trigram']],
    ['description', { q: { description_cont: 'ab1c2' } }, ['products_description_trigram']],
    ['sku', { q: { sku_cont: 'a1b2c' } }, ['variants_sku_trigram']],
    ['name or sku', { q: { name_or_sku_cont: '9f8e7' } }, ['products_name_trigram', 'variants_sku_trigram']],
    [
      'name, sku or description',
      { q: { name_or_sku_or_description_cont: '9f8e7' } },
      ['products_name_trigram', 'variants_sku_trigram', 'products_description_trigram'],
    ],
  ])('cont on %s uses trigram indexes', async (_what, parameters, indexes) => {
    const nodes = await explain(parameters);
    expect(listIndexes(nodes)).toEqual(expect.arrayContaining(indexes));
    expect(findFullScans(nodes)).toEqual([]);
  });

  test('a single match uses the trigram index although the planner expects more rows', async () => {
    const { rows } = await db.raw('SELECT name FROM products WHERE id = 77777');
    const text = rows[0].name.slice(3, 11);
    const nodes = await explain({ q: { name_cont: text } });
    expect(listIndexes(nodes)).toContain('products_name_trigram');
    const { page } = await list({ q: { name_cont: text } });
    expect(page).toMatchObject({ rows: [77777], total: 1 });
  });

  test('the total is exact and counted without a join', async () => {
    const { page } = await list({});
    const { rows } = await db.raw(
      `SELECT count(*) FROM products WHERE deleted_at IS NULL AND available_on <= ?
         AND (discontinue_on IS NULL OR discontinue_on > ?)
         AND EXISTS (SELECT FROM variants JOIN prices ON prices.variant_id = variants.id
                     WHERE variants.product_id = products.id AND variants.is_master AND prices.currency = 'USD')`,
      [NOW, NOW],
    );
    expect(page.total).toBe(Number(rows[0].count));
    expect(page.total).toBeLessThan(PRODUCTS);

    const nodes = await explain({});
    const tables = new Set(nodes.map((node) => node['Relation Name']).filter(Boolean));
    expect([...tables].sort()).toEqual(['catalog_revisions', 'products', 'stores']);
  });

  test('one small index contains everything that decides whether a product is visible', async () => {
    // A sequential scan can be cheaper for rows as short as these; with real descriptions it is not.
    const nodes = await explain({}, ['enable_seqscan = off', 'enable_bitmapscan = off']);
    const scans = nodes.filter((node) => node['Relation Name'] === 'products');
    expect(scans.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
      ['Index Only Scan', 'products_visible_index'],
    ]);
  });

  test('the first page reads only the rows that it shows', async () => {
    const nodes = await explain({ per_page: '25' });
    const [fewest] = nodes
      .filter((node) => node['Index Name'] === 'products_visible_index')
      .map((node) => node['Actual Rows'])
      .sort((a, b) => a - b);
    expect(fewest).toBe(25);
  });
});

/** With PLAN_PRODUCTS=100000 the tests print what docs/decisions/0017-product-search.md gives: milliseconds, the best of three. */
const MEASURED = process.env['PLAN_PRODUCTS'];
const FILTERED = Number(MEASURED ?? 20_000);

describe('filters and facets of many products with variants', () => {
  const name = `${DATABASE}_filters`;
  let sold: Knex;

  beforeAll(async () => {
    await cloneTemplate(name);
    const log = pino({ level: 'error' });
    sold = connectDatabase({ url: testDatabaseUrl(name), poolSize: 2, log, timeouts: 'maintenance' });
    await loadLargeCatalogue(sold, { products: FILTERED, isUnused: true });
  });

  afterAll(async () => {
    await closeDatabase(sold, 5_000);
    await dropClone(name);
  });

  const ONE: Record<string, Partial<ProductFilters>> = {
    search: { words: ['mugs'] },
    typo: { words: ['cerramic'] },
    color: { options: [{ name: 'color', values: ['red', 'blue'] }] },
    size: { options: [{ name: 'load-size', values: ['medium'] }] },
    taxon: { taxon: 'load-categories/kids' },
    root: { taxon: 'load-makers' },
    price: { minCents: 2_000, maxCents: 20_000 },
    stock: { inStock: true },
  };
  const PAIRS = Object.keys(ONE).flatMap((one, index, all) =>
    all.slice(index + 1).map((other): [string, string] => [one, other]),
  );

  /** Runs the list and returns its statements, with the plan and the time of PostgreSQL for each. */
  const explainList = (
    filters: ProductFilters,
    on: Knex = sold,
    parameters: Record<string, unknown> = {},
  ) => {
    const view = buildListView({ actor: GUEST, now: () => NOW });
    const list = parseListQuery(parameters, productSearch, false);
    return explainAll(() => findProductPage({ db: on }, list, view, filters), on);
  };

  async function explainAll(read: () => Promise<unknown>, on: Knex = sold) {
    const statements: { sql: string; bindings: unknown[] }[] = [];
    const note = (statement: { sql: string; bindings: unknown[] }) => statements.push(statement);
    on.on('query', note);
    await read();
    on.removeListener('query', note);
    let ms = 0;
    const nodes: PlanNode[] = [];
    const visit = (node: PlanNode) => {
      nodes.push(node);
      node.Plans?.forEach(visit);
    };
    for (const { sql, bindings } of statements) {
      const { rows } = await on.raw(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql.replace(/\$\d+/g, '?')}`,
        bindings as never,
      );
      const [plan] = rows[0]['QUERY PLAN'];
      ms += plan['Planning Time'] + plan['Execution Time'];
      visit(plan.Plan);
    }
    return { ms, nodes };
  }

  test.each(PAIRS)('%s and %s are counted in one pass over the listings', async (one, other) => {
    const options = [...(ONE[one]?.options ?? []), ...(ONE[other]?.options ?? [])];
    const facets = ['options', 'properties', 'taxons', 'price', 'in_stock'] as const;
    const filters: ProductFilters = { ...NO_FILTERS, ...ONE[one], ...ONE[other], options, facets };
    const { ms, nodes } = await explainList(filters);
    if (MEASURED !== undefined) {
      const fastest = Math.min(ms, (await explainList(filters)).ms, (await explainList(filters)).ms);
      process.stderr.write(`${one} and ${other}: ${fastest.toFixed(0)} ms\n`);
    }
    const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    const ofListings = scans.filter((node) => node['Relation Name'] === 'product_listings');
    // The page of a search or of few products is found in a pass of its own; others read some of the first listings.
    expect(ofListings.length).toBeLessThanOrEqual(2);
    for (const table of [
      'products',
      'variants',
      'prices',
      'stock_items',
      'classifications',
      'search_documents',
    ])
      expect(scans.map((node) => node['Relation Name'])).not.toContain(table);
    // Nothing but hash tables sees all listings.
    for (const type of ['Nested Loop', 'Merge Join', 'Sort', 'GroupAggregate'])
      expect(
        nodes.filter((node) => node['Node Type'] === type && node['Actual Rows'] > FILTERED / 4),
      ).toEqual([]);
  });

  const countRead = (nodes: readonly PlanNode[]) =>
    nodes
      .filter((node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined)
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);

  test.each([
    ['what many products have', 'medium'],
    ['the beginning of what many have', 's'],
    ['what some have', 'goblet'],
    ['a name', 'compact bronze goblet'],
    ['a SKU', 'load-00001'],
    ['a misspelled word', 'cerramic'],
    ['nothing', 'xqzzy'],
  ])('suggestions for %s read indexes, and few rows', async (_what, text) => {
    const limit = { limit: 8, now: NOW };
    const { nodes } = await explainAll(() => findSuggestions(sold, splitSearch(text), limit));
    const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    for (const table of ['products', 'product_listings', 'search_documents', 'variants', 'prices'])
      expect(scans.map((node) => node['Relation Name'])).not.toContain(table);
    // A bitmap of an index has all that it finds, however few of them are read.
    const ofRows = nodes.filter((node) => node['Node Type'] !== 'Bitmap Index Scan');
    expect(Math.max(...countRead(ofRows))).toBeLessThanOrEqual(1_000);
  });

  test('best sellers and new products are read in the order of an index', async () => {
    for (const [order, index] of [
      ['best_selling', 'product_listings_units_sold_index'],
      ['newest', 'product_listings_newest_index'],
    ] as const) {
      const parameters = { q: { s: order }, per_page: '25', page: '2' };
      // The first list of a catalog counts it.
      await explainList(NO_FILTERS, sold, parameters);
      const { nodes } = await explainList(NO_FILTERS, sold, parameters);
      expect(listIndexes(nodes)).toContain(index);
      expect(nodes.filter((node) => node['Node Type'] === 'Sort')).toEqual([]);
      expect(Math.max(...countRead(nodes))).toBeLessThanOrEqual(50);
    }
  });

  test('of a large catalog, facets that most products count for are estimated from a part of it', async () => {
    // Another test writes all listings.
    await untilVisible(sold, 'product_listings');
    const bounds = { listings: FILTERED / 2, counted: FILTERED / 8, drawn: FILTERED / 10 };
    const facets = ['options', 'properties', 'taxons', 'price', 'in_stock'] as const;
    const filters: ProductFilters = { ...NO_FILTERS, ...ONE['size'], ...ONE['taxon'], facets };
    const view = buildListView({ actor: GUEST, now: () => NOW });
    const read = async () => {
      const page = await findProductPage(
        { db: sold },
        parseListQuery({}, productSearch, false),
        view,
        filters,
      );
      return { ...page, facets: page.more?.['facets'] as Facets };
    };
    const exact = await read();
    for (const [name, bound] of Object.entries(bounds))
      jest.replaceProperty(FACET_BOUNDS, name as keyof typeof FACET_BOUNDS, bound);
    try {
      const estimated = await read();
      // Few products of a size are of one taxon, and many of any.
      expect(exact.facets.approximate).toBeUndefined();
      expect(estimated).toMatchObject({ rows: exact.rows, total: exact.total });
      const { taxons = [], approximate, ...counted } = estimated.facets;
      expect(approximate).toEqual(['taxons']);
      expect(exact.facets).toMatchObject(counted);
      const counts = (list: Facets['taxons']) => new Map(list?.map(({ id, count }) => [id, count]));
      const [drawn, all] = [counts(taxons), counts(exact.facets.taxons)];
      // A tenth is drawn: five standard deviations, and half of the last of two digits.
      for (const [id, count] of all)
        expect(Math.abs((drawn.get(id) ?? 0) - count)).toBeLessThan(5 * Math.sqrt(9 * count) + 0.05 * count);
      expect([...drawn]).not.toEqual([...all]);

      const { nodes } = await explainList({ ...NO_FILTERS, ...ONE['size'], ...ONE['price'], facets });
      const listings = nodes.filter((node) => node['Relation Name'] === 'product_listings');
      const sampled = nodes.filter((node) => node['Index Name'] === 'product_listings_drawn_index');
      // Drawn for the facets, once counted for the total, and the first for the page.
      expect(sampled.map((node) => node['Node Type'])).toEqual(['Index Only Scan']);
      expect(sampled[0]?.['Actual Rows']).toBeLessThan(1.1 * bounds.drawn);
      expect(listings).toHaveLength(3);

      // After a change, the kept total is counted anew, and the products are not collected.
      await sold.raw("INSERT INTO catalog_revisions (kind) VALUES ('product')");
      const { nodes: after } = await explainList({ ...NO_FILTERS, ...ONE['size'], ...ONE['price'], facets });
      const collected = after.filter(
        (node) => node['Node Type'] === 'CTE Scan' && node['CTE Name'] === 'found',
      );
      expect(Math.max(...collected.map((node) => node['Actual Rows']))).toBeLessThan(1_000);
    } finally {
      jest.restoreAllMocks();
    }
  });

  test('a page of a list with facets reads only as many of the first listings as it probably needs', async () => {
    const filters: ProductFilters = { ...NO_FILTERS, ...ONE['size'], ...ONE['price'], facets: ['price'] };
    const { nodes } = await explainList(filters);
    const read = nodes
      .filter((node) => node['Relation Name'] === 'product_listings')
      .map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
      .sort((a, b) => a - b);
    expect(read).toEqual([expect.any(Number), FILTERED]);
    expect(read[0]).toBeLessThan(1_000);
  });

  test('a search that most products match is counted once, and its pages read few documents', async () => {
    const filters: ProductFilters = { ...NO_FILTERS, words: ['medium'] };
    const view = buildListView({ actor: GUEST, now: () => NOW });
    const read = (page: string) =>
      findProductPage({ db: sold }, parseListQuery({ page }, productSearch, false), view, filters);
    // No total is kept before the first list.
    const [counted, kept] = [await read('1'), await read('1')];
    expect(counted.total).toBeGreaterThan(10_000);
    expect(kept).toEqual(counted);
    expect((await read('2')).rows.every((id) => id > (counted.rows.at(-1) ?? 0))).toBe(true);
    const { nodes } = await explainList(filters);
    const documents = nodes.filter((node) => node['Relation Name'] === 'search_documents');
    const rows = documents.map((node) => node['Actual Rows'] * node['Actual Loops']);
    expect(Math.max(...rows)).toBeLessThan(1_000);
    await sold.raw("INSERT INTO catalog_revisions (kind) VALUES ('product')");
    expect(await read('1')).toEqual(counted);
  });

  test('sets as many as products are looked up in a table, not read again for each listing', async () => {
    const filters: ProductFilters = {
      ...NO_FILTERS,
      ...ONE['search'],
      ...ONE['stock'],
      facets: ['in_stock'],
    };
    const tx = await sold.transaction();
    try {
      await tx.raw(`
        INSERT INTO listing_offers
        SELECT listing.product_id, offer.position, offer.is_available, offer.option_value_ids
        FROM product_listings AS listing JOIN listing_offers AS offer ON offer.set_id = listing.offers_id`);
      await tx.raw('UPDATE product_listings SET offers_id = product_id');
      for (const table of ['listing_offers', 'product_listings']) await tx.raw('ANALYZE ??', [table]);
      // So that the sets do not fit into it, as those of a larger catalog do not fit into more.
      await tx.raw(`SET LOCAL work_mem = '64kB'`);
      await tx.raw(`SET LOCAL statement_timeout = '10s'`);
      const { nodes } = await explainList(filters, tx);
      expect(
        nodes.filter((node) => node['Node Type'] === 'Materialize' && node['Actual Loops'] > 100),
      ).toEqual([]);
    } finally {
      await tx.rollback();
    }
  });
});
