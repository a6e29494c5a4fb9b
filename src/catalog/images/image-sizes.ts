export const IMAGE_SIZES = ['mini', 'small', 'product', 'large'] as const;

/** The sizes in which every image is stored. */
export type ImageSize = (typeof IMAGE_SIZES)[number];

/** The side in pixels of the square that an image of this size fits into. */
export const IMAGE_SIDES: Readonly<Record<ImageSize, number>> = {
  mini: 48,
  small: 100,
  product: 240,
  large: 600,
};
