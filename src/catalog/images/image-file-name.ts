import type { ImageContentType } from './images.definition';

const MAX_LENGTH = 200;

const EXTENSIONS: Record<ImageContentType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
};

/**
 * Builds the file name of an image from the name the client sent: its last path segment, with `_` for every character
 * that is not an ASCII letter, digit, `.`, `-` or `_`. A name of dots only, such as `..`,
 * becomes `image` with the extension of its type. Names over 200 characters lose their beginning.
 */
export function buildImageFileName(original: string, contentType: ImageContentType): string {
  const base = original.split(/[/\\]/).at(-1) ?? '';
  const name = base.replace(/[^A-Za-z0-9._-]/gu, '_').slice(-MAX_LENGTH);
  return /^\.*$/.test(name) ? `image.${EXTENSIONS[contentType]}` : name;
}
