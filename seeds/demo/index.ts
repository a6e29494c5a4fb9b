import type { Knex } from 'knex';
import type { Deps } from '../../src/sales/context';
import { getValue, insertRows } from './insert-rows';
import { DEMO_ORDERS } from './orders';
import { writePromotions } from './promotions';
import { planImages, planPictures } from './pictures';
import { removePictures, type StoredPictures, storePictures } from './store-pictures';
import { writeCatalogue, type WrittenVariant } from './write-catalogue';

const RETURN_DAYS = 30;

/**
 * True if there is no catalog and the reference data is unchanged. An owner who has renamed or removed reference data
 * does not want the demo store.
 */
const IS_EMPTY = `
  SELECT EXISTS (SELECT FROM shipping_categories WHERE name = 'Default')
    AND EXISTS (SELECT FROM stock_locations WHERE is_default AND deleted_at IS NULL)
    AND NOT EXISTS (SELECT FROM products) AND NOT EXISTS (SELECT FROM taxonomies)
    AND NOT EXISTS (SELECT FROM option_types) AND NOT EXISTS (SELECT FROM properties) AS is_empty`;

/**
 * Loads the catalog of the demo store: products with variants, options, properties, prices, stock, taxonomies,
 * generated images and promotions. Requires `loadReference`. Product dates are relative to `now`. `loadDemoOrders`
 * creates the orders later. Customers may request returns; if `shopUrl` is known, links of mails lead there, and search
 * engines find a sitemap of it.
 *
 * Does nothing and returns false if there is a catalog or the reference data has changed. Safe to repeat, and to run on
 * several instances at once. The files are stored first, then all rows in one transaction: a crash leaves at most
 * unreferenced files, and the next start tries again. Takes about four seconds on two cores.
 */
export async function loadDemo(
  deps: Pick<Deps, 'db' | 'storage' | 'now' | 'log'>,
  shopUrl: string | null = null,
): Promise<boolean> {
  if (!(await isEmpty(deps.db))) return false;
  const stored = await storePictures(deps, planPictures());
  let isLoaded = false;
  try {
    isLoaded = await writeOnce(deps.db, { now: deps.now(), stored, shopUrl });
  } finally {
    if (!isLoaded) await removePictures(deps, stored);
  }
  return isLoaded;
}

/** Writes all rows. Returns false and writes nothing if another instance has done so. */
async function writeOnce(
  db: Knex,
  { now, stored, shopUrl }: { now: Date; stored: StoredPictures; shopUrl: string | null },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.raw('LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE');
    if (!(await isEmpty(tx))) return false;
    const variants = await writeCatalogue(tx, now);
    await insertRows(tx, 'images', buildImageRows(variants, stored, now));
    await writePromotions(tx);
    await tx('stores')
      .where({ is_default: true })
      .update({ return_days: RETURN_DAYS, ...(shopUrl !== null && { url: shopUrl, feeds: true }) });
    await tx('seeds').insert({ name: DEMO_ORDERS });
    return true;
  });
}

async function isEmpty(db: Knex): Promise<boolean> {
  const result = await db.raw<{ rows: { is_empty: boolean }[] }>(IS_EMPTY);
  return result.rows[0]?.is_empty ?? false;
}

/** Builds the image rows. Variants of the same color share one image file. */
function buildImageRows(variants: readonly WrittenVariant[], stored: StoredPictures, now: Date): object[] {
  return planImages(variants).map(({ variant, position, alt, file_name, key }) => {
    const { storage_key, content_type, width, height } = getValue(stored, key);
    return {
      variant_id: variant.id,
      position,
      alt,
      storage_key,
      attachment_content_type: content_type,
      attachment_file_name: file_name,
      attachment_width: width,
      attachment_height: height,
      attachment_updated_at: now,
    };
  });
}
