import type { Deps } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { StoredFile } from '../../platform/storage/storage';
import { buildFileKey } from './image-storage';
import type { ImageSize } from './image-sizes';
import { findImage, type ImageRow } from './images.repository';

export interface ImageFileName {
  id: number;
  size: ImageSize;
  /** Exactly as the image's record spells it. */
  file_name: string;
}

/**
 * A picture's file for whoever has its URL; to be read to its end, or destroyed.
 * @throws NotFound
 */
export async function openImageFile(
  deps: Pick<Deps, 'db' | 'storage'>,
  name: ImageFileName,
): Promise<{ image: ImageRow; file: StoredFile }> {
  // A picture replaced between the look at the row and the look at the disk is found at the second try.
  const opened = (await tryOpen(deps, name)) ?? (await tryOpen(deps, name));
  if (opened === null) throw new NotFound();
  return opened;
}

async function tryOpen(deps: Pick<Deps, 'db' | 'storage'>, { id, size, file_name }: ImageFileName) {
  const image = await findImage(deps.db, id);
  if (image?.attachment_file_name !== file_name) throw new NotFound();
  const file = await deps.storage.open(buildFileKey(image.storage_key, size));
  return file === null ? null : { image, file };
}
