import type { Knex } from 'knex';
import { CANVAS } from '../demo/drawings/shapes';
import { BATCH_STATEMENTS } from './batch-sql';
import { DERIVE_STATEMENTS } from './derived-sql';
import { ADJECTIVES, CATEGORIES, COLORS, MAKERS, MATERIALS, NOUNS, SIZES, SYLLABLES } from './words';

export interface LoadOptions {
  /** Total number of load-test products, including existing ones. */
  readonly products: number;
  /** Images of each product, which share a few files. Defaults to none. */
  readonly images?: { readonly each: number; readonly storage_keys: readonly string[] };
  /** Called after each batch with the current number of products. */
  readonly onProgress?: (done: number, total: number) => void;
  /**
   * Whether nothing else uses the database, and the role is a superuser. Then triggers and foreign keys do not run for
   * each row, what triggers would write is written for each batch, and large indexes are built at the end.
   */
  readonly isUnused?: boolean;
}

const NO_IMAGES = { each: 0, storage_keys: [] };

/** Products per transaction: small enough to show progress, large enough for efficient statements. */
const BATCH = 5_000;

/**
 * Writes load-test products until there are `products` of them. They have the SKUs LOAD-0000001 and up, three variants,
 * two option types, prices, stock with movements, and one of twenty taxons in each of two taxonomies. A product number
 * gives the same product in every database. Requires the reference data. Each batch is one transaction: after an
 * interruption the next call continues, and repeating a finished call changes nothing.
 */
export async function loadLargeCatalogue(
  db: Knex,
  { products, images = NO_IMAGES, onProgress, isUnused = false }: LoadOptions,
): Promise<void> {
  await db.transaction((tx) => ensureSharedRecords(tx));
  const indexes = isUnused ? await dropLargeIndexes(db) : [];
  let done = await countLoaded(db);
  while (done < products) {
    const last = Math.min(done + BATCH, products);
    await writeBatch(db, {
      first: done + 1,
      last,
      images: images.each,
      storage_keys: [...images.storage_keys],
      isUnused,
    });
    done = last;
    onProgress?.(done, products);
  }
  for (const index of indexes) await db.raw(index);
  // The planner needs statistics, and index-only scans need a VACUUM; autovacuum would start only a minute later.
  await db.raw(`VACUUM ANALYZE ${await findFilledTables(db)}`);
}

/**
 * Returns the tables that have rows, as a list in SQL. The others must not be analyzed: PostgreSQL would plan for empty
 * tables, and prepared statements would keep reading them as a whole while the first orders fill them.
 */
async function findFilledTables(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { names: string }[] }>(
    `SELECT string_agg(quote_ident(relname), ', ') AS names FROM pg_class
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r' AND pg_relation_size(oid) > 0`,
  );
  return rows[0]?.names ?? '';
}

/** Drops the indexes that are built many times faster at once than row by row. @returns the statements that create them */
async function dropLargeIndexes(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string; definition: string }[] }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND indexdef LIKE '% USING gin %' ORDER BY indexname`,
  );
  for (const { name } of rows) await db.raw('DROP INDEX ??', [name]);
  return rows.map(({ definition }) => definition);
}

/** Returns the number of the last load-test product; 0 if there is none. */
async function countLoaded(db: Knex): Promise<number> {
  const last = await db('variants')
    .whereLike('sku', 'LOAD-_______')
    .max<{ sku: string | null }>('sku as sku')
    .first();
  return Number(last?.sku?.slice('LOAD-'.length) ?? 0);
}

interface Batch {
  first: number;
  last: number;
  images: number;
  storage_keys: string[];
  isUnused: boolean;
}

async function writeBatch(db: Knex, { isUnused, ...batch }: Batch): Promise<void> {
  await db.transaction(async (tx) => {
    if (isUnused) await tx.raw('SET LOCAL session_replication_role = replica');
    await tx.raw("SET LOCAL store.notes_events = 'no'");
    const category = await tx('shipping_categories').where({ name: 'Default' }).first<{ id: number }>('id');
    const bindings = {
      ...batch,
      canvas: CANVAS,
      shipping_category_id: category.id,
      adjectives: ADJECTIVES,
      materials: MATERIALS,
      nouns: NOUNS,
      syllables: SYLLABLES,
      categories: CATEGORIES,
      makers: MAKERS,
      colors: COLORS,
      sizes: SIZES,
    };
    for (const statement of BATCH_STATEMENTS) {
      await tx.raw(statement, bindings);
      // Until the tables have statistics, the plans of triggers and of later statements are those for a few rows.
      if (batch.first === 1) await tx.raw(`ANALYZE ${await findFilledTables(tx)}`);
    }
    if (!isUnused) return;
    for (const statement of DERIVE_STATEMENTS) await tx.raw(statement);
  });
}

/** Creates the option types and taxonomies of the load-test products unless they exist. */
async function ensureSharedRecords(tx: Knex.Transaction): Promise<void> {
  if ((await tx('option_types').where({ name: 'load-size' }).first('id')) !== undefined) return;
  await createOptionType(tx, { name: 'load-color', presentation: 'Color' }, COLORS);
  await createOptionType(tx, { name: 'load-size', presentation: 'Size' }, SIZES);
  await createTaxonomy(tx, { name: 'Load Categories', permalink: 'load-categories' }, CATEGORIES);
  await createTaxonomy(tx, { name: 'Load Makers', permalink: 'load-makers' }, MAKERS);
}

async function createOptionType(
  tx: Knex.Transaction,
  type: { name: string; presentation: string },
  values: readonly string[],
) {
  await tx.raw(
    `WITH type AS (
       INSERT INTO option_types (name, presentation, position)
       SELECT :name, :presentation, COALESCE(max(position), 0) + 1 FROM option_types RETURNING id
     )
     INSERT INTO option_values (option_type_id, name, presentation, position)
     SELECT type.id, value, initcap(value), rank
     FROM type, unnest(CAST(:values AS text[])) WITH ORDINALITY AS list (value, rank)`,
    { ...type, values },
  );
}

/** Creates a root taxon with one level of children, numbered as a nested set. */
async function createTaxonomy(
  tx: Knex.Transaction,
  root: { name: string; permalink: string },
  children: readonly string[],
) {
  await tx.raw(
    `WITH taxonomy AS (
       INSERT INTO taxonomies (name, position) SELECT :name, COALESCE(max(position), 0) + 1 FROM taxonomies RETURNING id
     ), root AS (
       INSERT INTO taxons (taxonomy_id, name, pretty_name, permalink, lft, rgt, depth)
       SELECT id, :name, :name, :permalink, 1, 2 * cardinality(CAST(:children AS text[])) + 2, 0 FROM taxonomy
       RETURNING id, taxonomy_id
     )
     INSERT INTO taxons (taxonomy_id, parent_id, name, pretty_name, permalink, lft, rgt, depth)
     SELECT root.taxonomy_id, root.id, initcap(child), :name || ' -> ' || initcap(child), :permalink || '/' || child,
       2 * rank, 2 * rank + 1, 1
     FROM root, unnest(CAST(:children AS text[])) WITH ORDINALITY AS list (child, rank)`,
    { ...root, children },
  );
}
