import type { Db } from '../../platform/database/knex';

/** What the bytes of an accepted picture were found to be. */
export type ImageContentType = 'image/jpeg' | 'image/png' | 'image/gif';

export interface ImageRow {
  id: number;
  variant_id: number;
  /** 1-based within the variant. */
  position: number;
  alt: string | null;
  attachment_content_type: ImageContentType;
  attachment_file_name: string;
  /** Pixels of the original, as it is seen: after its EXIF orientation is applied. */
  attachment_width: number;
  attachment_height: number;
  attachment_updated_at: Date;
  /** Where storage keeps the original and its sizes; the prefix of their keys. */
  storage_key: string;
}

const COLUMNS = [
  'images.id',
  'images.variant_id',
  'images.position',
  'images.alt',
  'images.attachment_content_type',
  'images.attachment_file_name',
  'images.attachment_width',
  'images.attachment_height',
  'images.attachment_updated_at',
  'images.storage_key',
];

/** The images of these variants, in one query: by position within each variant, variants in no order. */
export async function findImagesOfVariants(db: Db, variantIds: readonly number[]): Promise<ImageRow[]> {
  return db('images')
    .select<ImageRow[]>(COLUMNS)
    .whereRaw('images.variant_id = ANY(?)', [[...variantIds]])
    .orderBy(['images.position', 'images.id']);
}
