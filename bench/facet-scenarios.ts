import type { Knex } from 'knex';
import { GUEST } from '../src/access/actor';
import {
  FACETS,
  NO_FILTERS,
  type Facets,
  type ProductFilters,
} from '../src/catalog/product-queries/product-filters';
import { buildListView } from '../src/catalog/product-queries/product-view';
import { findProductPage } from '../src/catalog/product-queries/products.repository';
import { productSearch } from '../src/catalog/product-queries/products.search';
import { parseListQuery } from '../src/platform/query-builder/list-query';
import type { CpuClock } from './cpu';
import type { Section } from './report';

const SIZE: Partial<ProductFilters> = { options: [{ name: 'load-size', values: ['medium'] }] };
const TAXON: Partial<ProductFilters> = { taxon: 'load-categories/kids' };
const PRICE: Partial<ProductFilters> = { maxCents: 5_000 };
const STOCK: Partial<ProductFilters> = { inStock: true };

/** Category pages, each with two filters. */
const PAGES: Record<string, Partial<ProductFilters>> = {
  'an option and a highest price': { ...SIZE, ...PRICE },
  'a taxon and stock': { ...TAXON, ...STOCK },
  'a taxon and an option': { ...TAXON, ...SIZE },
  'an option and stock': { ...SIZE, ...STOCK },
  'a taxon and a highest price': { ...TAXON, ...PRICE },
  'a highest price and stock': { ...PRICE, ...STOCK },
};

const REPETITIONS = 10;

/**
 * Measures the CPU time of PostgreSQL for the first page of lists with two filters and all facets: while their totals are kept, and
 * after a change of the catalog, when they are counted anew. Expects that nothing else uses this PostgreSQL.
 */
export async function measureFacets(db: Knex, postgres: CpuClock, section: Section): Promise<void> {
  for (const [name, filters] of Object.entries(PAGES)) {
    const read = () => readPage(db, { ...NO_FILTERS, ...filters, facets: FACETS });
    const approximate = await read();
    const kept = await measure(postgres, read);
    const changed = await measure(postgres, async () => {
      await db('catalog_revisions').insert({ kind: 'product' });
      return read();
    });
    const estimated = approximate.length === 0 ? 'all exact' : `estimated: ${approximate.join(', ')}`;
    section.addFinding(
      `facets with ${name}`,
      `${formatMs(kept)} of PostgreSQL, ${formatMs(changed)} after a change; ${estimated}`,
    );
  }
}

/** Reads a page. @returns the facets that are estimated */
async function readPage(db: Knex, filters: ProductFilters): Promise<readonly string[]> {
  const view = buildListView({ actor: GUEST, now: () => new Date() });
  const page = await findProductPage({ db }, parseListQuery({}, productSearch, false), view, filters);
  const { approximate = [] } = page.more?.['facets'] as Facets; // lists with facets have them
  return approximate;
}

/** Returns the CPU time of one repetition in milliseconds; null where the system does not report it. */
async function measure(clock: CpuClock, read: () => Promise<unknown>): Promise<number | null> {
  const before = clock();
  for (let count = 0; count < REPETITIONS; count += 1) await read();
  const after = clock();
  return before === null || after === null ? null : (after - before) / REPETITIONS;
}

const formatMs = (ms: number | null): string => (ms === null ? '?' : `${Math.round(ms)} ms`);
