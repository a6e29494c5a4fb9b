import slugify from 'slugify';

/**
 * Text as part of a path: lower-case ASCII letters and digits, runs of anything else one `-`, none at the ends, at
 * most 255 characters. Letters of other alphabets are spelled out where a spelling is known; '' when nothing is left.
 */
export function toSlug(text: string): string {
  // The library spells out symbols too (`%` as "percent"); to us they only separate words.
  const words = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  return slugify(words, { lower: true, strict: true }).slice(0, 255).replace(/-$/, '');
}
