import { AS_RESTORED, buildViolation, type Damage } from './damage';

const PRODUCT = `(SELECT v.product_id FROM variants v JOIN line_items l ON l.variant_id = v.id WHERE l.order_id = :paid LIMIT 1)`;
const VARIANT = `(SELECT variant_id FROM line_items WHERE order_id = :paid LIMIT 1)`;
const LISTED = 'listings_show_their_products';
const DOCUMENTED = 'search_documents_show_their_products';

export const listingDamages: readonly Damage[] = [
  buildViolation(
    'a listing is deleted',
    LISTED,
    `DELETE FROM product_listings WHERE product_id = ${PRODUCT}`,
  ),
  buildViolation(
    'a price is restored without its listing',
    LISTED,
    AS_RESTORED,
    `UPDATE prices SET amount = amount + 1 WHERE variant_id = ${VARIANT}`,
  ),
  buildViolation(
    'stock is restored without its listing',
    LISTED,
    AS_RESTORED,
    `UPDATE stock_items SET count_on_hand = 0, backorderable = false WHERE variant_id = ${VARIANT}`,
  ),
  buildViolation(
    'a category is restored without its listing',
    LISTED,
    AS_RESTORED,
    `INSERT INTO classifications (product_id, taxon_id, position) VALUES (${PRODUCT}, 1, 1)`,
  ),
  buildViolation(
    'a product is withdrawn without its listing',
    LISTED,
    AS_RESTORED,
    `UPDATE products SET available_on = NULL WHERE id = ${PRODUCT}`,
  ),
  buildViolation(
    'a search document is deleted',
    DOCUMENTED,
    `DELETE FROM search_documents WHERE product_id = ${PRODUCT}`,
  ),
  buildViolation(
    'a name is restored without its search document',
    DOCUMENTED,
    AS_RESTORED,
    `UPDATE products SET name = 'Astrolabe' WHERE id = ${PRODUCT}`,
  ),
  buildViolation(
    'a search document has another taxon',
    DOCUMENTED,
    `UPDATE search_documents SET words = words || array_to_tsvector(ARRAY['t:1']) WHERE product_id = ${PRODUCT}`,
  ),
  buildViolation(
    'a noted change is left behind',
    'listing_changes_are_applied',
    AS_RESTORED,
    `INSERT INTO product_listing_changes (xid, kind, product_ids, is_first) VALUES ('1', 'offer', ARRAY[1], true)`,
  ),
  buildViolation(
    'an order is restored without its place among the changes',
    'feeds_show_the_last_change',
    AS_RESTORED,
    `UPDATE orders SET updated_at = updated_at + interval '1 minute' WHERE id = :paid`,
  ),
];
