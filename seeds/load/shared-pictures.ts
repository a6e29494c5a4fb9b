import type { Deps } from '../../src/sales/context';
import type { ColorName } from '../demo/drawings/colors';
import type { DrawingName, Picture } from '../demo/drawings/draw-product-image';
import { storePictures } from '../demo/store-pictures';

const PICTURES: readonly (readonly [DrawingName, ColorName])[] = [
  ['mug', 'rust'],
  ['lamp', 'sand'],
  ['backpack', 'moss'],
  ['notebook', 'sky'],
  ['vase', 'clay'],
  ['bottle', 'navy'],
  ['cushion', 'mustard'],
  ['planter', 'slate'],
];

/**
 * Returns the storage keys of the images that all load-test products share: those of an earlier run, or else eight new
 * ones. The caller must insert rows that refer to new files.
 */
export async function ensureSharedPictures(deps: Pick<Deps, 'db' | 'storage' | 'log'>): Promise<string[]> {
  const known = await deps
    .db('images')
    .join('variants', 'variants.id', 'images.variant_id')
    .whereLike('variants.sku', 'LOAD-00000__')
    .distinct<{ storage_key: string }[]>('images.storage_key')
    .orderBy('images.storage_key');
  if (known.length > 0) return known.map(({ storage_key }) => storage_key);

  const pictures = new Map<string, Picture>(
    PICTURES.map(([drawing, color]) => [drawing, { drawing, color, view: 'front' }]),
  );
  const stored = await storePictures(deps, pictures);
  return [...stored.values()].map(({ storage_key }) => storage_key);
}
