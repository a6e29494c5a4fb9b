/** The sizes the shop shows, each the side in pixels of the square a picture is fitted into (behaviour reference 4.4). */
export const IMAGE_SIZES = { mini: 48, small: 100, product: 240, large: 600 } as const;

export type ImageSize = keyof typeof IMAGE_SIZES;

/** Null when the word names no size. */
export function imageSizeOf(word: string): ImageSize | null {
  return isImageSize(word) ? word : null;
}

function isImageSize(word: string): word is ImageSize {
  return Object.hasOwn(IMAGE_SIZES, word);
}
