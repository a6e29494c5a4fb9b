import type { Knex } from 'knex';
import type { Deps } from '../../src/context';
import { insertRows, need } from './insert-rows';
import { plannedPictures, planImages } from './pictures';
import { removePictures, type StoredPictures, storePictures } from './store-pictures';
import { writeCatalogue, type WrittenVariant } from './write-catalogue';

/** A row in one of these means that somebody's catalogue is there. */
const CATALOGUE_TABLES = ['products', 'taxonomies', 'option_types', 'properties'];

/**
 * Fills an empty catalogue with the demo store: products with variants, options, properties, prices, stock, taxonomies
 * and pictures that are drawn on the spot. Expects the reference data; dates on sale count from `now`.
 *
 * Does nothing and answers false when there is a catalogue already, so repeating is safe; several instances may start
 * at once. The files come first, then all rows in one transaction: what a crash leaves are at most files that no row
 * names, and the next start begins anew. Takes about four seconds on two cores.
 */
export async function loadDemo(deps: Pick<Deps, 'db' | 'storage' | 'now' | 'log'>): Promise<boolean> {
  if (await hasCatalogue(deps.db)) return false;
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
    if (await hasCatalogue(tx)) return false;
    const variants = await writeCatalogue(tx, now);
    await insertRows(tx, 'images', imageRows(variants, stored, now));
    return true;
  });
}

async function hasCatalogue(db: Knex): Promise<boolean> {
  const anyRow = CATALOGUE_TABLES.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
  const result = await db.raw<{ rows: { has_catalogue: boolean }[] }>(`SELECT ${anyRow} AS has_catalogue`);
  return result.rows[0]?.has_catalogue ?? true;
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
