import { toPublicUrl } from '../../platform/public-url';
import { calculateWidth, IMAGE_SIZES, type ImageSize } from './image-sizes';
import { Image, type ImageJson, type ImageRow } from './images.definition';

export function serializeImage(image: ImageRow): ImageJson {
  return Image.serialize(image, {
    type: 'Store::Image',
    viewable_type: 'Store::Variant',
    viewable_id: image.variant_id,
    mini_url: buildImageUrl(image, 'mini'),
    small_url: buildImageUrl(image, 'small'),
    product_url: buildImageUrl(image, 'product'),
    large_url: buildImageUrl(image, 'large'),
    xlarge_url: buildImageUrl(image, 'xlarge'),
    urls: buildUrls(image),
  });
}

/** Lists the files for `srcset`: one for each width, ascending. A small image has the same file in several sizes. */
function buildUrls(image: ImageRow): ImageJson['urls'] {
  const urls = IMAGE_SIZES.map((size) => ({
    width: calculateWidth(image.attachment_width, image.attachment_height, size),
    url: buildImageUrl(image, size),
  }));
  return urls.filter(({ width }, index) => urls.findIndex((other) => other.width === width) === index);
}

/** What the URLs of an image depend on. */
type ImageFile = Pick<ImageRow, 'id' | 'attachment_file_name' | 'attachment_updated_at'>;

/** Returns the URL of an image in a size; a path of the server without PUBLIC_URL. */
export function buildImageUrl(image: ImageFile, size: ImageSize): string {
  const version = buildImageVersion(image);
  return toPublicUrl(`/store/products/${image.id}/${size}/${image.attachment_file_name}?${version}`);
}

/** Builds the version in the URLs of an image. It changes when the file is replaced, so URLs are cacheable forever. */
export function buildImageVersion(image: Pick<ImageRow, 'attachment_updated_at'>): string {
  return String(Math.floor(image.attachment_updated_at.getTime() / 1000));
}
