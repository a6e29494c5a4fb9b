import type { ImageSize } from './image-sizes';
import type { ImageRow } from './images.repository';
import type { ImageJson } from './images.schema';

export function serializeImage(image: ImageRow): ImageJson {
  return {
    id: image.id,
    position: image.position,
    attachment_content_type: image.attachment_content_type,
    attachment_file_name: image.attachment_file_name,
    type: 'Store::Image',
    attachment_updated_at: image.attachment_updated_at.toISOString(),
    attachment_width: image.attachment_width,
    attachment_height: image.attachment_height,
    alt: image.alt,
    viewable_type: 'Store::Variant',
    viewable_id: image.variant_id,
    mini_url: buildImagePath(image, 'mini'),
    small_url: buildImagePath(image, 'small'),
    product_url: buildImagePath(image, 'product'),
    large_url: buildImagePath(image, 'large'),
  };
}

/** What the URLs of an image depend on. */
type ImageFile = Pick<ImageRow, 'id' | 'attachment_file_name' | 'attachment_updated_at'>;

/** Returns the path of an image in a size. */
export function buildImagePath(image: ImageFile, size: ImageSize): string {
  return `/store/products/${image.id}/${size}/${image.attachment_file_name}?${buildImageVersion(image)}`;
}

/** Builds the version in the URLs of an image. It changes when the file is replaced, so URLs are cacheable forever. */
export function buildImageVersion(image: Pick<ImageRow, 'attachment_updated_at'>): string {
  return String(Math.floor(image.attachment_updated_at.getTime() / 1000));
}
