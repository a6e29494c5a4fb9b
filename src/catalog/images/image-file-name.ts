import type { ImageContentType } from './images.repository';

const MAX_LENGTH = 200;

const EXTENSIONS: Record<ImageContentType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
};

/**
 * The name a picture is kept and served under: the base of what the client called it, with `_` for every character
 * that is not an ASCII letter, digit, `.`, `-` or `_` (behaviour reference 4.4). A name that would not survive in a
 * URL, as `..` would not, becomes `image` with the extension of its type; a very long one loses its beginning.
 */
export function buildImageFileName(original: string, contentType: ImageContentType): string {
  const base = original.split(/[/\\]/).at(-1) ?? '';
  const name = base.replace(/[^A-Za-z0-9._-]/gu, '_').slice(-MAX_LENGTH);
  return /^\.*$/.test(name) ? `image.${EXTENSIONS[contentType]}` : name;
}
