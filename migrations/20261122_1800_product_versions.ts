import type { Knex } from 'knex';
import {
  createIndex,
  inBatches,
  run,
  type IdRange,
  type Steps,
} from '../src/platform/database/migrations/steps';

/** The table whose changes change one product, and the product of a changed row. */
const PARTS: Record<string, string> = {
  images: 'SELECT variants.product_id FROM changed JOIN variants ON variants.id = changed.variant_id',
  variant_option_values:
    'SELECT variants.product_id FROM changed JOIN variants ON variants.id = changed.variant_id',
  product_properties: 'SELECT product_id FROM changed',
  product_option_types: 'SELECT product_id FROM changed',
};

/** Tables with the prices of a product. */
const PRICED: Record<string, string> = {
  variants: 'SELECT product_id FROM changed',
  prices: 'SELECT variants.product_id FROM changed JOIN variants ON variants.id = changed.variant_id',
};

/** Tables that many products show. Their changes are not changes of a product. */
const SHARED = [
  'option_types',
  'option_values',
  'properties',
  'taxonomies',
  'taxons',
  'stores',
  'shipping_categories',
  'tax_categories',
];

const STOCK = ['stock_items', 'stock_locations'];

/** A row that moves to another product changes both products. */
const EVENTS = {
  insert: ['INSERT', 'NEW'],
  update: ['UPDATE', 'NEW'],
  move: ['UPDATE', 'OLD'],
  delete: ['DELETE', 'OLD'],
} as const;

/** Creates statement triggers with the changed rows as the table `changed`. */
async function createChangeTriggers(
  knex: Knex,
  table: string,
  events: readonly (keyof typeof EVENTS)[] = Object.keys(EVENTS) as (keyof typeof EVENTS)[], // its own keys
): Promise<void> {
  for (const event of events) {
    const [kind, rows] = EVENTS[event];
    await knex.raw(`
      CREATE TRIGGER ${table}_${event}_version AFTER ${kind} ON ${table} REFERENCING ${rows} TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_${table}_change();`);
  }
}

/** The columns of a product that are calculated from its prices in the currency of the default store. */
const PRICES = `
  SELECT products.id, master.amount AS master_price,
    COALESCE(sold.lowest, master.amount) AS lowest_price, COALESCE(sold.highest, master.amount) AS highest_price
  FROM products
  CROSS JOIN (SELECT COALESCE((SELECT currency FROM stores WHERE is_default), 'USD') AS currency) AS store
  LEFT JOIN LATERAL (
    SELECT prices.amount FROM variants JOIN prices ON prices.variant_id = variants.id
    WHERE variants.product_id = products.id AND variants.is_master
      AND prices.deleted_at IS NULL AND prices.currency = store.currency
  ) AS master ON true
  LEFT JOIN LATERAL (
    SELECT min(prices.amount) AS lowest, max(prices.amount) AS highest
    FROM variants JOIN prices ON prices.variant_id = variants.id
    WHERE variants.product_id = products.id AND NOT variants.is_master AND variants.deleted_at IS NULL
      AND prices.deleted_at IS NULL AND prices.currency = store.currency
  ) AS sold ON true`;

/** @param kind the kind of a change, as SQL */
function noteRevision(kind: string): string {
  return `
    CREATE OR REPLACE FUNCTION note_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO catalog_revisions (kind) VALUES (${kind});
      RETURN NULL;
    END $$;`;
}

/**
 * The rows of the revision log have a kind: `shared` for what many products show, `visibility` for what decides which
 * products are listed, `product` and `stock` for the rest. The revision of the whole catalog remains the sum of all rows.
 * Triggers of the version before name no kind.
 */
const KINDS = `
  ALTER TABLE catalog_revisions ADD COLUMN kind text NOT NULL DEFAULT 'product'
    CONSTRAINT catalog_revisions_kind CHECK (kind IN ('product', 'stock', 'shared', 'visibility'));
  ${noteRevision(`coalesce(TG_ARGV[0], 'product')`)}
`;

const VERSIONS = `
  ALTER TABLE products
    ADD COLUMN version bigint NOT NULL DEFAULT 1,
    ADD COLUMN master_price numeric(8,2),
    ADD COLUMN lowest_price numeric(8,2),
    ADD COLUMN highest_price numeric(8,2);

  CREATE FUNCTION increase_product_version() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
  END $$;

  CREATE FUNCTION touch_products(ids integer[]) RETURNS void LANGUAGE sql AS $$
    UPDATE products SET version = version
    FROM (
      SELECT products.id FROM products
      WHERE products.id = ANY (ids) AND products.xmin <> pg_current_xact_id()::xid
      ORDER BY products.id FOR NO KEY UPDATE
    ) AS locked
    WHERE products.id = locked.id
  $$;

  CREATE FUNCTION update_product_prices(ids integer[]) RETURNS void LANGUAGE sql AS $$
    UPDATE products SET master_price = calculated.master_price, lowest_price = calculated.lowest_price,
      highest_price = calculated.highest_price
    FROM (${PRICES} WHERE products.id = ANY (ids)) AS calculated
    WHERE calculated.id = products.id
      AND (products.master_price, products.lowest_price, products.highest_price)
        IS DISTINCT FROM (calculated.master_price, calculated.lowest_price, calculated.highest_price)
  $$;

  CREATE FUNCTION update_prices_of_store() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM update_product_prices(ARRAY(SELECT id FROM products));
    RETURN NULL;
  END $$;

  CREATE FUNCTION note_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (
      SELECT FROM changed JOIN former USING (id)
      WHERE (changed.available_on, changed.discontinue_on, changed.deleted_at, changed.priced_in)
        IS DISTINCT FROM (former.available_on, former.discontinue_on, former.deleted_at, former.priced_in)
    ) THEN
      INSERT INTO catalog_revisions (kind) VALUES ('visibility');
    END IF;
    RETURN NULL;
  END $$;
`;

/** Triggers that only one table has. */
const OWN_TRIGGERS: Record<string, string> = {
  products: `
    CREATE TRIGGER products_version BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION increase_product_version();
    CREATE TRIGGER products_update_visibility AFTER UPDATE ON products
      REFERENCING NEW TABLE AS changed OLD TABLE AS former
      FOR EACH STATEMENT EXECUTE FUNCTION note_visibility();
    CREATE TRIGGER products_visibility AFTER INSERT OR DELETE OR TRUNCATE ON products
      FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('visibility');`,
  stores: `
    CREATE TRIGGER stores_prices AFTER INSERT OR UPDATE OF currency, is_default OR DELETE ON stores
      FOR EACH STATEMENT EXECUTE FUNCTION update_prices_of_store();
    CREATE TRIGGER stores_visibility AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON stores
      FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('visibility');`,
  classifications: `
    CREATE TRIGGER classifications_update_shared AFTER UPDATE ON classifications
      FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');`,
};

/** The tables with a revision trigger. */
function listRevised(): string[] {
  return [
    ...['products', 'product_slugs', 'classifications', ...Object.keys(PARTS), ...Object.keys(PRICED)],
    ...SHARED,
    ...STOCK,
  ];
}

/**
 * Every product has a version, which increases in the transaction of each change that its JSON shows, except stock. Instances
 * keep the JSON of a product for its version. The same change moves `updated_at`.
 *
 * A product that this transaction has already written is not written again: its version has increased and is not visible to
 * others yet. Products are locked by id, so that two transactions which change several products do not wait for each other.
 */
export const up: Steps = [
  run(KINDS),
  run(VERSIONS),
  createIndex(
    'products_master_price_index',
    'products (master_price, id) INCLUDE (available_on, discontinue_on, priced_in) WHERE deleted_at IS NULL',
  ),
  createIndex(
    'products_lowest_price_index',
    'products (lowest_price, highest_price, id) WHERE deleted_at IS NULL',
  ),
  ...listRevised().map((table) => (knex: Knex) => createTriggers(knex, table)),
  inBatches('products', fillPrices),
  run(noteRevision('TG_ARGV[0]')),
];

/** What the triggers of one table need is created in one step, because shoppers read several of these tables in one statement. */
async function createTriggers(knex: Knex, table: string): Promise<void> {
  const products = { ...PARTS, ...PRICED }[table];
  if (products !== undefined) {
    await createChangeFunction(knex, table, products);
    await createChangeTriggers(knex, table);
  }
  // A new or removed classification changes its product. A changed one is a new position, which a move gives to other products
  // of the taxon too: it is a change of the shared part.
  if (table === 'classifications') {
    await createChangeFunction(knex, table, 'SELECT product_id FROM changed');
    await createChangeTriggers(knex, table, ['insert', 'delete']);
  }
  const own = OWN_TRIGGERS[table];
  if (own !== undefined) await knex.raw(own);
  await replaceRevisionTrigger(knex, table, `'${kindOf(table)}'`);
}

async function fillPrices(knex: Knex, { after, upTo }: IdRange): Promise<void> {
  await knex.raw(`
    UPDATE products SET master_price = calculated.master_price, lowest_price = calculated.lowest_price,
      highest_price = calculated.highest_price
    FROM (${PRICES} WHERE products.id > ${after} AND products.id <= ${upTo}) AS calculated
    WHERE calculated.id = products.id AND calculated.lowest_price IS NOT NULL`);
}

/** A new variant has no price yet. */
const UPDATE_PRICES = `IF TG_TABLE_NAME <> 'variants' OR TG_OP <> 'INSERT' THEN
          PERFORM update_product_prices(ids);
        END IF;`;

/** Creates the trigger function of a table. @param products a query on `changed` for the ids of the products */
async function createChangeFunction(knex: Knex, table: string, products: string): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION note_${table}_change() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (${products}) AS affected);
    BEGIN
      IF ids <> '{}' THEN
        PERFORM touch_products(ids);
        ${PRICED[table] === undefined ? '' : UPDATE_PRICES}
      END IF;
      RETURN NULL;
    END $$;`);
}

function kindOf(table: string): string {
  if (SHARED.includes(table)) return 'shared';
  return STOCK.includes(table) ? 'stock' : 'product';
}

async function replaceRevisionTrigger(knex: Knex, table: string, argument: string): Promise<void> {
  await knex.raw(`
    DROP TRIGGER ${table}_revision ON ${table};
    CREATE TRIGGER ${table}_revision AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision(${argument});`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of listRevised()) await replaceRevisionTrigger(knex, table, '');
  await knex.raw(`
    DROP TRIGGER classifications_update_shared ON classifications;
    DROP TRIGGER stores_visibility ON stores;
    DROP TRIGGER products_visibility ON products;
    DROP TRIGGER products_update_visibility ON products;
    DROP FUNCTION note_visibility();
    CREATE OR REPLACE FUNCTION note_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO catalog_revisions DEFAULT VALUES;
      RETURN NULL;
    END $$;
    ALTER TABLE catalog_revisions DROP COLUMN kind;
    DROP TRIGGER classifications_insert_version ON classifications;
    DROP TRIGGER classifications_delete_version ON classifications;
    DROP FUNCTION note_classifications_change();
  `);
  for (const table of [...Object.keys(PARTS), ...Object.keys(PRICED)]) {
    for (const event of Object.keys(EVENTS)) {
      await knex.raw(`DROP TRIGGER ${table}_${event}_version ON ${table};`);
    }
    await knex.raw(`DROP FUNCTION note_${table}_change();`);
  }
  await knex.raw(`
    DROP TRIGGER stores_prices ON stores;
    DROP FUNCTION update_prices_of_store();
    DROP FUNCTION update_product_prices(integer[]);
    DROP FUNCTION touch_products(integer[]);
    DROP TRIGGER products_version ON products;
    DROP FUNCTION increase_product_version();
    ALTER TABLE products DROP COLUMN version, DROP COLUMN master_price, DROP COLUMN lowest_price, DROP COLUMN highest_price;
  `);
}
