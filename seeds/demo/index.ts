import type { Knex } from 'knex';
import type { Deps } from '../../src/sales/context';
import { insertRows, need } from './insert-rows';
import { DEMO_ORDERS } from './orders';
import { plannedPictures, planImages } from './pictures';
import { removePictures, type StoredPictures, storePictures } from './store-pictures';
import { writeCatalogue, type WrittenVariant } from './write-catalogue';

/**
 * True while nobody's catalogue is there, and the store is still set up as the reference data does: an owner who has
 * renamed or removed that has plans of their own.
 */
const IS_OPEN = `
  SELECT EXISTS (SELECT FROM shipping_categories WHERE name = 'Default')
    AND EXISTS (SELECT FROM stock_locations WHERE is_default AND deleted_at IS NULL)
    AND NOT EXISTS (SELECT FROM products) AND NOT EXISTS (SELECT FROM taxonomies)
    AND NOT EXISTS (SELECT FROM option_types) AND NOT EXISTS (SELECT FROM properties) AS is_open`;

/**
 * Fills an empty catalogue with the demo store: products with variants, options, properties, prices, stock, taxonomies
 * and pictures that are drawn on the spot. Comes after `loadReference`; dates on sale count from `now`.
 *
 * Does nothing and answers false when there is a catalogue already or the reference data is gone, so repeating is safe;
 * several instances may start at once. The files come first, then all rows in one transaction: what a crash leaves are
 * at most files that no row names, and the next start begins anew. Takes about four seconds on two cores. The orders
 * come afterwards, by `loadDemoOrders`.
 */
export async function loadDemo(deps: Pick<Deps, 'db' | 'storage' | 'now' | 'log'>): Promise<boolean> {
  if (!(await isOpen(deps.db))) return false;
  const stored = await storePictures(deps, plannedPictures());
  let isLoaded = false;
  try {
    isLoaded = await writeOnce(deps.db, deps.now(), stored);
  } finally {
    if (!isLoaded) await removePictures(deps, stored);
  }
  return isLoaded;
}

/** False, and nothing written, when another instance was faster. */
async function writeOnce(db: Knex, now: Date, stored: StoredPictures): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.raw('LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE');
    if (!(await isOpen(tx))) return false;
    const variants = await writeCatalogue(tx, now);
    await insertRows(tx, 'images', imageRows(variants, stored, now));
    await tx('seeds').insert({ name: DEMO_ORDERS });
    return true;
  });
}

async function isOpen(db: Knex): Promise<boolean> {
  const result = await db.raw<{ rows: { is_open: boolean }[] }>(IS_OPEN);
  return result.rows[0]?.is_open ?? false;
}

/** Variants of one colour show one picture: their rows share its files. */
function imageRows(variants: readonly WrittenVariant[], stored: StoredPictures, now: Date): object[] {
  return planImages(variants).map(({ variant, position, alt, file_name, key }) => {
    const { storage_key, content_type, width, height } = need(stored, key);
    return {
      ...{ variant_id: variant.id, position, alt, storage_key },
      attachment_content_type: content_type,
      attachment_file_name: file_name,
      attachment_width: width,
      attachment_height: height,
      attachment_updated_at: now,
    };
  });
}
