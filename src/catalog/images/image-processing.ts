import type { Metadata, Sharp } from 'sharp';
import { INVALID, InvalidResource } from '../../platform/errors';
import { createSlots } from '../../platform/slots';
import { IMAGE_SIDES, type ImageFormat, type ImageSize } from './image-sizes';
import type { ImageContentType, ImageRow } from './images.definition';
import { loadSharp } from './load-sharp';

/** An image that was decoded completely and encoded again in each size. */
export interface ProcessedImage {
  content_type: ImageContentType;
  /** Pixels of the original after its EXIF orientation is applied. */
  width: number;
  height: number;
  /** Files of the same type, without any metadata of the original. */
  sizes: Record<ImageSize, Buffer>;
}

const CONTENT_TYPES = new Map<string, ImageContentType>([
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
]);

const MAX_PIXELS = 40_000_000;
/**
 * A decoder reads whole rows at a time, and takes far more memory for a wide image than for a square one with as many
 * pixels.
 */
const MAX_SIDE = 16_000;
/** With the wait for a slot, below ten seconds. */
const TIMEOUT_SECONDS = 6;
const WAIT_MS = 3_000;
/** Larger pictures take noticeable time and memory. */
const SMALL_PIXELS = 8_000_000;
/** They look alike. */
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 80;
const AVIF_QUALITY = 55;

/**
 * Decodes one large image at a time: an interlaced one of the maximum size takes 200 MB, and twice that while rotated.
 */
const withLargeSlot = createSlots({ concurrency: 1, waiting: 32, waitMs: WAIT_MS });
/** Small images do not wait for large ones. */
const withSmallSlot = createSlots({ concurrency: 1, waiting: 32, waitMs: WAIT_MS });

/**
 * Detects the type of an image file from its bytes and renders its sizes: fitted into their squares, never enlarged,
 * with the orientation applied, the first frame of an animation. The header is checked at once; decoding waits for a
 * slot.
 * @throws InvalidResource if the file is not a JPEG, PNG or GIF, is damaged, has too many pixels or takes too long;
 *   Unavailable if too many images are waiting
 */
export async function processImage(path: string): Promise<ProcessedImage> {
  const { metadata, contentType } = await readHeader(path);
  const { width, height } = metadata.autoOrient;
  const withSlot = width * height > SMALL_PIXELS ? withLargeSlot : withSmallSlot;
  const sizes = await withSlot(() => renderSizes(path, contentType));
  return { content_type: contentType, width, height, sizes };
}

async function readHeader(path: string): Promise<{ metadata: Metadata; contentType: ImageContentType }> {
  const sharp = await loadSharp();
  // Reads the header only, so the pixel limit can be off here; it applies again when the image is decoded.
  const metadata = await rejectUnreadable(
    sharp(path, { failOn: 'error', limitInputPixels: false }).metadata(),
  );
  const contentType = CONTENT_TYPES.get(metadata.format);
  if (contentType === undefined) throw buildInvalidImageError();
  if (Math.max(metadata.width, metadata.height) > MAX_SIDE) {
    throw new InvalidResource({ attachment: [`is too large (maximum is ${MAX_SIDE} pixels on each side)`] });
  }
  const maxPixels = metadata.depth === 'uchar' ? MAX_PIXELS : MAX_PIXELS / 2; // as many bytes
  if (metadata.width * metadata.height > maxPixels) {
    throw new InvalidResource({ attachment: [`is too large (maximum is ${maxPixels / 1e6} megapixels)`] });
  }
  return { metadata, contentType };
}

/** Decodes the original once, at the largest size, and renders the other sizes from the result. */
async function renderSizes(path: string, contentType: ImageContentType): Promise<Record<ImageSize, Buffer>> {
  const sharp = await loadSharp();
  const source = sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true });
  const largest = await rejectUnreadable(
    fit(source, 'xlarge').timeout({ seconds: TIMEOUT_SECONDS }).raw().toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = largest.info;
  const draw = (size: ImageSize): Promise<Buffer> => {
    const pixels = sharp(largest.data, { raw: { width, height, channels } });
    return encode(fit(pixels, size), contentType).toBuffer();
  };
  return {
    mini: await draw('mini'),
    small: await draw('small'),
    product: await draw('product'),
    large: await draw('large'),
    xlarge: await draw('xlarge'),
  };
}

/**
 * Renders one file of an image from its original, which was processed before. Waits for a slot, as `processImage`.
 * @throws Unavailable if too many images are waiting
 */
export async function renderImage(
  path: string,
  image: Pick<ImageRow, 'attachment_content_type' | 'attachment_width' | 'attachment_height'>,
  { size, format }: { size: ImageSize; format: ImageFormat | null },
): Promise<Buffer> {
  const isLarge = image.attachment_width * image.attachment_height > SMALL_PIXELS;
  return (isLarge ? withLargeSlot : withSmallSlot)(async () => {
    const sharp = await loadSharp();
    const source = sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true });
    const fitted = fit(source, size).timeout({ seconds: TIMEOUT_SECONDS });
    return encode(fitted, format ?? image.attachment_content_type).toBuffer();
  });
}

function fit(picture: Sharp, size: ImageSize): Sharp {
  const side = IMAGE_SIDES[size];
  return picture.resize(side, side, { fit: 'inside', withoutEnlargement: true });
}

function encode(picture: Sharp, type: ImageContentType | ImageFormat): Sharp {
  switch (type) {
    case 'image/jpeg':
      return picture.jpeg({ quality: JPEG_QUALITY });
    case 'image/png':
      return picture.png();
    case 'image/gif':
      return picture.gif();
    case 'webp':
      return picture.webp({ quality: WEBP_QUALITY });
    case 'avif':
      // More effort takes seconds of a processor for files that are hardly smaller.
      return picture.avif({ quality: AVIF_QUALITY, effort: 3 });
  }
}

/** Reports any decoder error as an invalid attachment; the message of the decoder is not shown to clients. */
async function rejectUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const isLate = error instanceof Error && error.message.startsWith('timeout');
    throw isLate
      ? new InvalidResource({ attachment: ['takes too long to process'] })
      : buildInvalidImageError();
  }
}

function buildInvalidImageError(): InvalidResource {
  return new InvalidResource({ attachment: [INVALID] });
}
