export const IMAGE_SIZES = ['mini', 'small', 'product', 'large', 'xlarge'] as const;

/** The sizes in which every image is stored. */
export type ImageSize = (typeof IMAGE_SIZES)[number];

/** The side in pixels of the square that an image of this size fits into. */
export const IMAGE_SIDES: Readonly<Record<ImageSize, number>> = {
  mini: 48,
  small: 100,
  product: 240,
  large: 600,
  xlarge: 1200,
};

/** The formats into which every image is converted for browsers that accept them, best first. */
const IMAGE_FORMATS = ['avif', 'webp'] as const;

export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Returns the best format that an `Accept` header names; null for that of the upload. Wildcards name no format. */
export function chooseFormat(accept: string | undefined): ImageFormat | null {
  const accepted = (accept ?? '')
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q=0(\.0*)?\s*$/.test(range))
    .map((range) => range.split(';')[0]?.trim());
  return IMAGE_FORMATS.find((format) => accepted.includes(`image/${format}`)) ?? null;
}

/** Returns the width of an image in a size: it fits into the square, and is never enlarged. */
export function calculateWidth(width: number, height: number, size: ImageSize): number {
  const scale = Math.min(1, IMAGE_SIDES[size] / Math.max(width, height));
  return Math.max(1, Math.round(width * scale));
}
