-- A search document holds the words of a product: name, skus, property values and description, as stems in the language of the store
-- and as they are. Its option values and taxons are lexemes of ids (`o:17`, `t:3`), and their names are in `search_names`: a new name
-- changes no document. `search_vocabulary` holds every lexeme that was ever used, to find those that a misspelled word resembles.

CREATE OR REPLACE FUNCTION store_language() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT COALESCE((SELECT language FROM stores WHERE is_default), 'english')
$$;

CREATE OR REPLACE FUNCTION strip_marks(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(content) = char_length(content) THEN content
    ELSE normalize(
      replace(replace(replace(replace(
        translate(regexp_replace(normalize(content, NFD),
            '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]', '', 'g'), 'øđħıłðØĐĦŁÐ',
            'odhildODHLD'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      NFC) END
$$;

CREATE OR REPLACE FUNCTION to_search_words(language text, content text) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
DECLARE
  given text := COALESCE(content, '');
  plain text;
  parts tsvector := '';
BEGIN
  IF octet_length(given) = char_length(given) THEN
    given := translate(given, '!"#$%&''()*+,-./:;<=>?@[]^_`{|}~' || E'\\', repeat(' ', 33));
    RETURN to_tsvector(language::regconfig, given) || to_tsvector('simple', given);
  END IF;
  given := translate(regexp_replace(normalize(given, NFKC),
      '[\u00a1\u00a6-\u00a9\u00ab-\u00af\u00b4-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u200b\u2010-\u206f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb]', ' ', 'g'), '!"#$%&''()*+,-./:;<=>?@[]^_`{|}~' || E'\\', repeat(' ', 33));
  IF given ~ '[\u3005\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]' THEN
    SELECT CAST(string_agg('''' || part || ''':' || least(n, 16383), ' ') AS tsvector) INTO parts
    FROM (
      SELECT substr(run[1], start, 2) AS part, row_number() OVER (ORDER BY place, start) AS n
      FROM regexp_matches(given, '[\u3005\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+', 'g') WITH ORDINALITY AS runs (run, place),
        generate_series(1, char_length(run[1])) AS start
    ) AS parts_of_words;
    given := regexp_replace(given, '[\u3005\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+', ' ', 'g');
  END IF;
  plain := strip_marks(given);
  RETURN CAST(strip_marks(CAST(to_tsvector(language::regconfig, given) AS text)) AS tsvector)
    || to_tsvector(language::regconfig, plain) || to_tsvector('simple', plain) || parts;
END $$;

CREATE OR REPLACE FUNCTION to_search_query(language text, word text, is_beginning boolean) RETURNS tsquery LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN plain = word THEN '' ELSE
      CAST(strip_marks(CAST(plainto_tsquery(language::regconfig, word) AS text)) AS tsquery) END
    || plainto_tsquery(language::regconfig, plain) || plainto_tsquery('simple', plain)
    || CASE WHEN is_beginning
         THEN to_tsquery('simple', '''' || replace(replace(plain, E'\\', E'\\\\'), '''', '''''') || ''':*')
         ELSE '' END
  FROM (SELECT strip_marks(word) AS plain) AS stripped
$$;

CREATE OR REPLACE FUNCTION note_vocabulary(lexemes text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_vocabulary (word)
  SELECT DISTINCT lexeme FROM unnest(lexemes) AS lexeme WHERE lexeme ~ '^[^0-9:]{4,40}$' ORDER BY 1
  ON CONFLICT DO NOTHING
$$;

CREATE OR REPLACE FUNCTION rebuild_search_documents(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE lexemes text[];
BEGIN
  -- The lock comes first, so that the next statement sees what other transactions have changed meanwhile.
  PERFORM FROM search_documents WHERE product_id = ANY (ids) ORDER BY product_id FOR UPDATE;
  WITH written AS (
    INSERT INTO search_documents AS document (product_id, language, words)
    SELECT products.id, store.language,
      setweight(to_search_words(store.language, products.name), 'A')
        || setweight(to_search_words(store.language, articles.skus), 'A')
        || array_to_tsvector(COALESCE(articles.lexemes, '{}') || ARRAY(
             SELECT 't:' || taxon_id FROM classifications WHERE product_id = products.id))
        || setweight(to_search_words(store.language, (
             SELECT string_agg(value, ' ') FROM product_properties WHERE product_id = products.id)), 'C')
        || setweight(to_search_words(store.language, products.description), 'D')
    FROM products
    CROSS JOIN (SELECT store_language() AS language) AS store
    LEFT JOIN (
      SELECT variants.product_id, string_agg(DISTINCT variants.sku, ' ') AS skus,
        array_agg(DISTINCT 'o:' || used.option_value_id) FILTER (WHERE used.option_value_id IS NOT NULL) AS lexemes
      FROM variants LEFT JOIN variant_option_values AS used ON used.variant_id = variants.id
      WHERE variants.product_id = ANY (ids) AND variants.deleted_at IS NULL
      GROUP BY variants.product_id
    ) AS articles ON articles.product_id = products.id
    WHERE products.id = ANY (ids) ORDER BY products.id
    ON CONFLICT (product_id) DO UPDATE SET language = EXCLUDED.language, words = EXCLUDED.words
    WHERE document.language <> EXCLUDED.language OR document.words <> EXCLUDED.words
    RETURNING words
  )
  SELECT array_agg(DISTINCT lexeme) INTO lexemes FROM written, unnest(tsvector_to_array(written.words)) AS lexeme;
  PERFORM note_vocabulary(lexemes);
END $$;

CREATE OR REPLACE FUNCTION write_search_names(lexemes text[], names text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE found text[];
BEGIN
  WITH written AS (
    INSERT INTO search_names (lexeme, language, words)
    SELECT given.lexeme, store.language, to_search_words(store.language, given.name)
    FROM unnest(lexemes, names) AS given (lexeme, name), (SELECT store_language() AS language) AS store
    ORDER BY given.lexeme
    ON CONFLICT (lexeme) DO UPDATE SET language = EXCLUDED.language, words = EXCLUDED.words
    RETURNING words
  )
  SELECT array_agg(DISTINCT word) INTO found FROM written, unnest(tsvector_to_array(written.words)) AS word;
  PERFORM note_vocabulary(found);
END $$;

CREATE OR REPLACE FUNCTION rebuild_search_names() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_search_names(array_agg('o:' || id), array_agg(name || ' ' || presentation)) FROM option_values HAVING count(*) > 0;
PERFORM write_search_names(array_agg('t:' || id), array_agg(name)) FROM taxons HAVING count(*) > 0;
END $$;

CREATE OR REPLACE FUNCTION note_option_values_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM search_names USING former WHERE lexeme = 'o:' || former.id;
  ELSE
    PERFORM write_search_names(array_agg('o:' || id), array_agg(name || ' ' || presentation)) FROM changed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER option_values_delete_names AFTER DELETE ON option_values REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION note_option_values_names();
CREATE OR REPLACE TRIGGER option_values_insert_names AFTER INSERT ON option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_option_values_names();
CREATE OR REPLACE TRIGGER option_values_update_names AFTER UPDATE ON option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_option_values_names();

CREATE OR REPLACE FUNCTION note_taxons_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM search_names USING former WHERE lexeme = 't:' || former.id;
  ELSE
    PERFORM write_search_names(array_agg('t:' || id), array_agg(name)) FROM changed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER taxons_delete_names AFTER DELETE ON taxons REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION note_taxons_names();
CREATE OR REPLACE TRIGGER taxons_insert_names AFTER INSERT ON taxons REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_taxons_names();
CREATE OR REPLACE TRIGGER taxons_update_names AFTER UPDATE ON taxons REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_taxons_names();
