-- The columns of a product that are calculated from the prices of its variants. Prices of a deleted product are deleted, so the last
-- one of its master counts then, which is the one that is shown.

CREATE OR REPLACE FUNCTION update_product_prices(ids integer[]) RETURNS void LANGUAGE sql AS $$
    UPDATE products SET master_price = calculated.master_price, lowest_price = calculated.lowest_price,
      highest_price = calculated.highest_price
    FROM (
  SELECT id, master AS master_price, COALESCE(lowest, master) AS lowest_price, COALESCE(highest, master) AS highest_price
  FROM (
    SELECT id, min(amount) FILTER (WHERE is_master) AS master,
      min(amount) FILTER (WHERE NOT is_master) AS lowest, max(amount) FILTER (WHERE NOT is_master) AS highest
    FROM (
      SELECT unnest(ids) AS id, NULL::boolean AS is_master, NULL::numeric AS amount
      UNION ALL
      SELECT variants.product_id, variants.is_master, last.amount
      FROM variants CROSS JOIN LATERAL (
        SELECT amount, deleted_at FROM prices WHERE prices.variant_id = variants.id
          AND prices.currency = COALESCE((SELECT currency FROM stores WHERE is_default), 'USD')
        ORDER BY deleted_at DESC NULLS FIRST LIMIT 1
      ) AS last
      WHERE variants.product_id = ANY (ids) AND (variants.is_master OR variants.deleted_at IS NULL)
        AND (last.deleted_at IS NULL OR variants.deleted_at IS NOT NULL)
    ) AS offers
    GROUP BY id
  ) AS amounts) AS calculated
    WHERE calculated.id = products.id
      AND (products.master_price, products.lowest_price, products.highest_price)
        IS DISTINCT FROM (calculated.master_price, calculated.lowest_price, calculated.highest_price)
$$;

CREATE OR REPLACE FUNCTION update_prices_of_store() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM update_product_prices(ARRAY(SELECT id FROM products));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stores_prices AFTER INSERT OR DELETE OR UPDATE OF currency, is_default ON stores
  FOR EACH STATEMENT EXECUTE FUNCTION update_prices_of_store();

CREATE OR REPLACE FUNCTION note_priced_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET priced_in = fresh.currencies
  FROM (
    SELECT masters.product_id,
      COALESCE(array_agg(prices.currency ORDER BY prices.currency) FILTER (WHERE prices.id IS NOT NULL), '{}') AS currencies
    FROM variants AS masters
    LEFT JOIN prices ON prices.variant_id = masters.id AND prices.deleted_at IS NULL
    WHERE masters.is_master AND masters.id IN (SELECT variant_id FROM changed)
    GROUP BY masters.product_id
  ) AS fresh
  WHERE products.id = fresh.product_id AND products.priced_in <> fresh.currencies;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER prices_delete_priced_in AFTER DELETE ON prices REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_priced_in();
CREATE OR REPLACE TRIGGER prices_insert_priced_in AFTER INSERT ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_priced_in();
CREATE OR REPLACE TRIGGER prices_update_priced_in AFTER UPDATE ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_priced_in();
