import type { Knex } from 'knex';

/** Tables whose rows are parts of a listing, and the products of changed rows. */
const PARTS: Record<string, string> = {
  variants: 'SELECT product_id FROM changed',
  prices: 'SELECT variants.product_id FROM changed JOIN variants ON variants.id = changed.variant_id',
  variant_option_values:
    'SELECT variants.product_id FROM changed JOIN variants ON variants.id = changed.variant_id',
  product_properties: 'SELECT product_id FROM changed',
  classifications: 'SELECT product_id FROM changed',
};

const EVENTS: Record<string, [string, string]> = {
  insert: ['INSERT', 'NEW TABLE AS changed'],
  update: ['UPDATE', 'NEW TABLE AS changed'],
  move: ['UPDATE', 'OLD TABLE AS changed'],
  delete: ['DELETE', 'OLD TABLE AS changed'],
};

/** A change of position alone changes no listing. */
const EVENTS_OF: Record<string, string[]> = { classifications: ['insert', 'delete'] };

const eventsOf = (table: string): string[] => EVENTS_OF[table] ?? Object.keys(EVENTS);

/** Builds the id of a set from its text. Equal sets have equal ids, so that products share them without a lookup. */
const digest = (text: string): string => `('x' || left(md5(${text}), 16))::bit(64)::bigint`;

/**
 * The variants that are on sale: those with a price in the currency of the store, or else the master. Ordered by price, so that
 * a range of prices is a range of positions. Expects `ids`.
 */
const SOLD = `
  SELECT product_id, is_available, cents, option_value_ids,
    row_number() OVER (PARTITION BY product_id ORDER BY cents, option_value_ids, is_available) AS position
  FROM (
    SELECT variants.product_id, variants.is_master, round(prices.amount * 100)::integer AS cents,
      bool_or(NOT variants.is_master) OVER (PARTITION BY variants.product_id) AS has_variants,
      ARRAY(SELECT option_value_id FROM variant_option_values WHERE variant_id = variants.id ORDER BY option_value_id)
        AS option_value_ids,
      NOT variants.track_inventory OR EXISTS (
        SELECT FROM stock_items JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
        WHERE stock_items.variant_id = variants.id AND stock_items.deleted_at IS NULL AND stock_locations.active
          AND stock_locations.deleted_at IS NULL AND (stock_items.count_on_hand > 0 OR stock_items.backorderable)
      ) AS is_available
    FROM variants JOIN prices ON prices.variant_id = variants.id
    WHERE variants.product_id = ANY (ids) AND variants.deleted_at IS NULL AND prices.deleted_at IS NULL
      AND prices.currency = COALESCE((SELECT currency FROM stores WHERE is_default), 'USD')
  ) AS priced
  WHERE is_master <> has_variants`;

/** The columns of a listing beside its key. */
const COLUMNS = [
  ...['available_on', 'discontinue_on', 'is_deleted', 'is_priced', 'offers_id', 'taxons_id', 'properties_id'],
  ...['lowest', 'highest', 'cents'],
];

/**
 * A listing is a narrow row for each product with everything that filters and facets read: visibility, the prices of its
 * variants on sale, and the ids of three sets that many products share: its offers (the options of its variants and whether each
 * can be bought now), its taxons and its properties. Filters and facets read each set once, not once for each product.
 *
 * Statement triggers note the changed products of a transaction; at its commit, a deferred trigger rebuilds each once, and its
 * search document. All listings are locked there, by id and after all other locks, so that neither sales nor changes of the
 * catalog can deadlock on them. A sale changes a listing only if a stock item becomes available or unavailable. Names of option
 * types, values, properties and taxons are not part of it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE product_listings (
      product_id integer CONSTRAINT product_listings_pkey PRIMARY KEY
        CONSTRAINT product_listings_product_id_fkey REFERENCES products ON DELETE CASCADE,
      available_on timestamptz,
      discontinue_on timestamptz,
      is_deleted boolean NOT NULL,
      -- Whether the master has a price in the currency of the store.
      is_priced boolean NOT NULL,
      offers_id bigint NOT NULL,
      taxons_id bigint NOT NULL,
      properties_id bigint NOT NULL,
      -- In cents; null if nothing is on sale.
      lowest integer,
      highest integer,
      -- The prices of all variants on sale, ascending: the offers of the set have them in this order.
      cents integer[] NOT NULL
    ) WITH (fillfactor = 80);

    CREATE TABLE listing_offers (
      set_id bigint NOT NULL,
      position integer NOT NULL,
      is_available boolean NOT NULL,
      option_value_ids integer[] NOT NULL,
      CONSTRAINT listing_offers_pkey PRIMARY KEY (set_id, position)
    );
    CREATE TABLE listing_taxons (
      set_id bigint NOT NULL,
      taxon_id integer NOT NULL,
      CONSTRAINT listing_taxons_pkey PRIMARY KEY (set_id, taxon_id)
    );
    CREATE INDEX listing_taxons_taxon_id_index ON listing_taxons (taxon_id, set_id);
    CREATE TABLE listing_properties (
      set_id bigint NOT NULL,
      property_id integer NOT NULL,
      value text NOT NULL,
      CONSTRAINT listing_properties_pkey PRIMARY KEY (set_id, property_id)
    );
    -- A hash: values may be longer than a B-tree allows.
    CREATE INDEX listing_properties_value_index ON listing_properties (property_id, md5(lower(value)));

    -- Empty outside transactions, so that a crash loses nothing.
    CREATE UNLOGGED TABLE product_listing_changes (
      xid xid8 NOT NULL,
      -- A change of an offer, price or stock, changes no search document.
      kind text NOT NULL CONSTRAINT product_listing_changes_kind CHECK (kind IN ('catalog', 'offer')),
      product_ids integer[] NOT NULL,
      -- Whether the transaction has noted nothing before: the trigger runs once for all that it notes.
      is_first boolean NOT NULL
    );
    CREATE INDEX product_listing_changes_xid_index ON product_listing_changes (xid);

    CREATE FUNCTION rebuild_product_listings(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      -- The lock comes first, so that the next statement sees what other transactions have sold of the same variants.
      LOCK TABLE product_listings IN ROW EXCLUSIVE MODE;
      PERFORM FROM product_listings WHERE product_id = ANY (ids) ORDER BY product_id FOR UPDATE;
      WITH sold AS MATERIALIZED (${SOLD}),
      articles AS (
        SELECT product_id, array_agg(cents ORDER BY position) AS cents, min(cents) AS lowest, max(cents) AS highest,
          ${digest(`string_agg(is_available::text || option_value_ids::text, ';' ORDER BY position)`)} AS offers_id
        FROM sold GROUP BY product_id
      ),
      classified AS MATERIALIZED (
        SELECT product_id, ${digest(`string_agg(taxon_id::text, ';' ORDER BY taxon_id)`)} AS set_id,
          array_agg(taxon_id) AS taxon_ids
        FROM classifications WHERE product_id = ANY (ids) GROUP BY product_id
      ),
      described AS MATERIALIZED (
        SELECT product_id,
          ${digest(`json_agg(json_build_array(property_id, value) ORDER BY property_id)::text`)} AS set_id,
          json_agg(json_build_object('property_id', property_id, 'value', value)) AS entries
        FROM product_properties
        WHERE product_id = ANY (ids) AND value <> '' GROUP BY product_id
      ),
      new_offers AS (
        INSERT INTO listing_offers (set_id, position, is_available, option_value_ids)
        SELECT DISTINCT articles.offers_id, sold.position, sold.is_available, sold.option_value_ids
        FROM articles JOIN sold USING (product_id) ORDER BY 1, 2
        ON CONFLICT DO NOTHING
      ),
      new_taxons AS (
        INSERT INTO listing_taxons (set_id, taxon_id)
        SELECT DISTINCT set_id, taxon_id FROM classified, unnest(taxon_ids) AS taxon_id ORDER BY 1, 2
        ON CONFLICT DO NOTHING
      ),
      new_properties AS (
        INSERT INTO listing_properties (set_id, property_id, value)
        SELECT DISTINCT described.set_id, entry.property_id, entry.value
        FROM described, json_to_recordset(described.entries) AS entry (property_id integer, value text) ORDER BY 1, 2
        ON CONFLICT DO NOTHING
      )
      INSERT INTO product_listings AS listing (product_id, ${COLUMNS.join(', ')})
      SELECT products.id, products.available_on, products.discontinue_on, products.deleted_at IS NOT NULL,
        COALESCE((SELECT currency FROM stores WHERE is_default), 'USD') = ANY (products.priced_in),
        COALESCE(articles.offers_id, 0), COALESCE(classified.set_id, 0), COALESCE(described.set_id, 0),
        articles.lowest, articles.highest, COALESCE(articles.cents, '{}')
      FROM products
      LEFT JOIN articles ON articles.product_id = products.id
      LEFT JOIN classified ON classified.product_id = products.id
      LEFT JOIN described ON described.product_id = products.id
      WHERE products.id = ANY (ids)
      ON CONFLICT (product_id) DO UPDATE
        SET (${COLUMNS.join(', ')}) = (${COLUMNS.map((column) => `EXCLUDED.${column}`).join(', ')})
      WHERE (${COLUMNS.map((column) => `listing.${column}`).join(', ')})
        IS DISTINCT FROM (${COLUMNS.map((column) => `EXCLUDED.${column}`).join(', ')});
    END $$;

    CREATE FUNCTION apply_product_listing_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed integer[];
      of_catalog integer[];
    BEGIN
      WITH noted AS (
        DELETE FROM product_listing_changes WHERE xid = pg_current_xact_id() RETURNING kind, product_ids
      )
      SELECT array_agg(DISTINCT id), array_agg(DISTINCT id) FILTER (WHERE kind = 'catalog') INTO changed, of_catalog
      FROM noted, unnest(product_ids) AS id;
      IF changed IS NOT NULL THEN PERFORM rebuild_product_listings(changed); END IF;
      IF of_catalog IS NOT NULL THEN PERFORM rebuild_search_documents(of_catalog); END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER product_listing_changes_apply AFTER INSERT ON product_listing_changes
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.is_first)
      EXECUTE FUNCTION apply_product_listing_changes();

    CREATE FUNCTION note_listing_changes(ids integer[], kind text) RETURNS void LANGUAGE sql AS $$
      INSERT INTO product_listing_changes (xid, kind, product_ids, is_first)
      SELECT pg_current_xact_id(), kind, ids,
        NOT EXISTS (SELECT FROM product_listing_changes WHERE xid = pg_current_xact_id())
      WHERE ids <> '{}'
    $$;

    DO $$
    DECLARE batch integer[];
    BEGIN
      FOR batch IN SELECT array_agg(id ORDER BY id) FROM products GROUP BY id / 5000 ORDER BY min(id) LOOP
        PERFORM rebuild_product_listings(batch);
      END LOOP;
    END $$;
  `);
  for (const [table, products] of Object.entries(PARTS)) await createPartTriggers(knex, table, products);
  await createProductTriggers(knex);
  await createStockTriggers(knex);
}

async function createPartTriggers(knex: Knex, table: string, products: string): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION note_${table}_listing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM note_listing_changes(ARRAY(SELECT DISTINCT product_id FROM (${products}) AS affected), '${table === 'prices' ? 'offer' : 'catalog'}');
      RETURN NULL;
    END $$;`);
  for (const event of eventsOf(table)) {
    const [kind, rows] = EVENTS[event] ?? [];
    await knex.raw(`
      CREATE TRIGGER ${table}_${event}_listing AFTER ${kind ?? ''} ON ${table} REFERENCING ${rows ?? ''}
      FOR EACH STATEMENT EXECUTE FUNCTION note_${table}_listing();`);
  }
}

/** The columns of a product that its listing or its search document shows. */
const SHOWN = ['name', 'description', 'available_on', 'discontinue_on', 'deleted_at', 'priced_in'];

async function createProductTriggers(knex: Knex): Promise<void> {
  const columns = (table: string) => `(${SHOWN.map((column) => `${table}.${column}`).join(', ')})`;
  await knex.raw(`
    CREATE FUNCTION note_new_listing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM note_listing_changes(ARRAY(SELECT id FROM changed), 'catalog');
      RETURN NULL;
    END $$;
    CREATE TRIGGER products_insert_listing AFTER INSERT ON products REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_new_listing();
    CREATE FUNCTION note_products_listing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM note_listing_changes(ARRAY(
        SELECT changed.id FROM changed JOIN former USING (id)
        WHERE ${columns('changed')} IS DISTINCT FROM ${columns('former')}
      ), 'catalog');
      RETURN NULL;
    END $$;
    CREATE TRIGGER products_update_listing AFTER UPDATE ON products
      REFERENCING NEW TABLE AS changed OLD TABLE AS former
      FOR EACH STATEMENT EXECUTE FUNCTION note_products_listing();

    CREATE FUNCTION note_currency_of_listings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT currency FROM changed WHERE is_default) IS DISTINCT FROM (SELECT currency FROM former WHERE is_default) THEN
        PERFORM note_listing_changes(ARRAY(SELECT id FROM products), 'catalog');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER stores_update_listings AFTER UPDATE ON stores REFERENCING NEW TABLE AS changed OLD TABLE AS former
      FOR EACH STATEMENT EXECUTE FUNCTION note_currency_of_listings();
    CREATE FUNCTION note_first_currency() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT currency FROM changed WHERE is_default) <> 'USD' THEN
        PERFORM note_listing_changes(ARRAY(SELECT id FROM products), 'catalog');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER stores_insert_listings AFTER INSERT ON stores REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_first_currency();
    CREATE TRIGGER stores_delete_listings AFTER DELETE ON stores REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_first_currency();
  `);
}

/** A stock item is available or not; only a change of that, or of its variant or location, is noted. */
async function createStockTriggers(knex: Knex): Promise<void> {
  const isAvailable = (item: string) =>
    `(${item}.deleted_at IS NULL AND (${item}.count_on_hand > 0 OR ${item}.backorderable))`;
  const note = (items: string) => `
    BEGIN
      PERFORM note_listing_changes(
        ARRAY(SELECT DISTINCT variants.product_id FROM (${items}) AS item JOIN variants ON variants.id = item.variant_id), 'offer');
      RETURN NULL;
    END`;
  await knex.raw(`
    CREATE FUNCTION note_changed_stock() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM note_listing_changes(
        ARRAY(SELECT DISTINCT product_id FROM variants WHERE id IN (OLD.variant_id, NEW.variant_id)), 'offer');
      RETURN NULL;
    END $$;
    -- For each row: its condition costs a sale nothing, unlike a statement over the changed rows.
    CREATE TRIGGER stock_items_update_listing AFTER UPDATE ON stock_items FOR EACH ROW
      WHEN (${isAvailable('OLD')} <> ${isAvailable('NEW')}
        OR OLD.variant_id <> NEW.variant_id OR OLD.stock_location_id <> NEW.stock_location_id)
      EXECUTE FUNCTION note_changed_stock();
    CREATE FUNCTION note_available_stock() RETURNS trigger LANGUAGE plpgsql AS $$ ${note(`
      SELECT variant_id FROM changed WHERE ${isAvailable('changed')}`)} $$;
    CREATE TRIGGER stock_items_insert_listing AFTER INSERT ON stock_items REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_available_stock();
    CREATE TRIGGER stock_items_delete_listing AFTER DELETE ON stock_items REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_available_stock();
    CREATE FUNCTION note_stock_of_locations() RETURNS trigger LANGUAGE plpgsql AS $$ ${note(`
      SELECT stock_items.variant_id FROM changed JOIN former USING (id)
      JOIN stock_items ON stock_items.stock_location_id = changed.id
      WHERE (changed.active AND changed.deleted_at IS NULL) <> (former.active AND former.deleted_at IS NULL)
        AND ${isAvailable('stock_items')}`)} $$;
    CREATE TRIGGER stock_locations_update_listing AFTER UPDATE ON stock_locations
      REFERENCING NEW TABLE AS changed OLD TABLE AS former
      FOR EACH STATEMENT EXECUTE FUNCTION note_stock_of_locations();
  `);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(PARTS)) {
    for (const event of eventsOf(table))
      await knex.raw(`DROP TRIGGER ${table}_${event}_listing ON ${table};`);
    await knex.raw(`DROP FUNCTION note_${table}_listing();`);
  }
  await knex.raw(`
    DROP TRIGGER stock_locations_update_listing ON stock_locations;
    DROP TRIGGER stock_items_delete_listing ON stock_items;
    DROP TRIGGER stock_items_insert_listing ON stock_items;
    DROP TRIGGER stock_items_update_listing ON stock_items;
    DROP TRIGGER stores_delete_listings ON stores;
    DROP TRIGGER stores_insert_listings ON stores;
    DROP TRIGGER stores_update_listings ON stores;
    DROP TRIGGER products_update_listing ON products;
    DROP TRIGGER products_insert_listing ON products;
    DROP FUNCTION note_stock_of_locations(), note_available_stock(), note_changed_stock(), note_first_currency(),
      note_currency_of_listings(), note_products_listing(), note_new_listing();
    DROP TABLE product_listing_changes, product_listings, listing_offers, listing_taxons, listing_properties;
    DROP FUNCTION apply_product_listing_changes(), note_listing_changes(integer[], text),
      rebuild_product_listings(integer[]);
  `);
}
