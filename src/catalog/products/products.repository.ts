import type { Db } from '../../platform/database/knex';
import type { ProductView } from './product-view';
import { visibleSql } from './visible-products';

export interface ProductRow {
  id: number;
  name: string;
  description: string | null;
  slug: string;
  meta_title: string | null;
  meta_description: string | null;
  meta_keywords: string | null;
  available_on: Date | null;
  discontinue_on: Date | null;
  shipping_category_id: number;
  tax_category_id: number | null;
  /** Currencies the master has a price in; kept by the database. */
  priced_in: string[];
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

const MAX_ID = 2147483647;

/**
 * The product of the view that `permalink` names: by slug, else by former slug, else by id. A slug that looks like a
 * number so wins over an id.
 */
export async function findVisibleProduct(
  db: Db,
  view: ProductView,
  permalink: string,
): Promise<ProductRow | undefined> {
  const visible = visibleSql(view);
  const id = /^\d{1,10}$/.test(permalink) && Number(permalink) <= MAX_ID ? Number(permalink) : null;
  const { rows } = await db.raw<{ rows: ProductRow[] }>(
    `SELECT products.* FROM (
       SELECT 1 AS rank, id FROM products WHERE slug = :permalink
       UNION ALL SELECT 2, product_id FROM product_slugs WHERE slug = :permalink
       UNION ALL SELECT 3, CAST(:id AS integer) WHERE CAST(:id AS integer) IS NOT NULL
     ) AS named
     JOIN products ON products.id = named.id
     WHERE ${visible.sql.replaceAll('?', ':now')}
     ORDER BY named.rank, products.id DESC
     LIMIT 1`,
    { permalink, id, now: view.now },
  );
  return rows[0];
}
