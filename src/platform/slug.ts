import slugify from 'slugify';

/**
 * Converts text to a path segment: lower-case ASCII letters and digits, separated by single `-`, at most 255
 * characters. Letters of other alphabets are transliterated if possible. '' if nothing remains.
 */
export function toSlug(text: string): string {
  // The library would spell out symbols (`%` as "percent"); here they only separate words.
  const words = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  return slugify(words, { lower: true, strict: true }).slice(0, 255).replace(/-$/, '');
}

/** Returns whether the text has letters that slugs lack, such as Japanese ones. Different texts can then have the same slug. */
export function hasLettersWithoutSlug(text: string): boolean {
  const foreign = text.match(/(?![a-z])\p{L}/giu) ?? [];
  return foreign.some((letter) => toSlug(letter) === '');
}
