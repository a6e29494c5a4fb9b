import type { Deps } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { StoredFile } from '../../platform/storage/storage';
import { buildFileKey } from './image-storage';
import type { ImageSize } from './image-sizes';
import { findImage, type ImageRow } from './images.repository';

export interface ImageFileName {
  id: number;
  size: ImageSize;
  /** Must equal the stored `attachment_file_name`. */
  file_name: string;
}

/**
 * Opens the file of one size of an image, without authorization. The caller must read the stream to its end or destroy
 * it.
 * @throws NotFound
 */
export async function openImageFile(
  deps: Pick<Deps, 'db' | 'storage'>,
  name: ImageFileName,
): Promise<{ image: ImageRow; file: StoredFile }> {
  // The file may be replaced after its row is read; the second attempt finds the new one.
  const result = (await tryOpen(deps, name)) ?? (await tryOpen(deps, name));
  if (result === null) throw new NotFound();
  return result;
}

async function tryOpen(deps: Pick<Deps, 'db' | 'storage'>, { id, size, file_name }: ImageFileName) {
  const image = await findImage(deps.db, id);
  if (image?.attachment_file_name !== file_name) throw new NotFound();
  const file = await deps.storage.open(buildFileKey(image.storage_key, size));
  return file === null ? null : { image, file };
}
