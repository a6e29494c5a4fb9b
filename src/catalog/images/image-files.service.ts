import type { Deps } from '../../access/context';
import { NotFound, requireFound } from '../../platform/errors';
import type { StoredFile } from '../../platform/storage/storage';
import { openNegotiated } from './image-renditions';
import type { ImageFormat, ImageSize } from './image-sizes';
import type { ImageRow } from './images.definition';
import { imageRecords } from './images.repository';

export interface ImageFileName {
  id: number;
  size: ImageSize;
  /** Must equal the stored `attachment_file_name`. */
  file_name: string;
  /** The format that the client prefers; null for that of the upload. */
  format: ImageFormat | null;
}

/** A file of an image. */
export interface OpenedImage {
  image: ImageRow;
  file: StoredFile;
  /** The format that is served; null for that of the upload. */
  format: ImageFormat | null;
}

/**
 * Opens the file of one size of an image, without authorization. The caller must read the stream to its end or destroy
 * it.
 * @throws NotFound, and Unavailable if the file is not made yet and too many images are waiting
 */
export async function openImageFile(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  name: ImageFileName,
): Promise<OpenedImage> {
  // The file may be replaced after its row is read; the second attempt finds the new one.
  return requireFound((await tryOpen(deps, name)) ?? (await tryOpen(deps, name)));
}

async function tryOpen(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  { id, size, file_name, format }: ImageFileName,
): Promise<OpenedImage | null> {
  const image = await imageRecords.find(deps.db, id);
  if (image?.attachment_file_name !== file_name) throw new NotFound();
  const opened = await openNegotiated(deps, image, size, format);
  return opened && { image, ...opened };
}
