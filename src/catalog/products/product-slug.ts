import { hasLettersWithoutSlug, toSlug } from '../../platform/slug';

const MAX_LENGTH = 255;

/** The parts of a new slug. `random` returns a new text on every call. */
export interface SlugSource {
  name: string;
  sku: string;
  random: () => string;
}

/**
 * Builds the slugs to try for a product, in this order: name, name and sku, name and random text. The last
 * one is practically unique. If only digits are left of a name in another script, they are prefixed: a slug of digits alone would hide
 * the product with that id.
 */
export function buildSlugCandidates({ name, sku, random }: SlugSource): string[] {
  const slug = toSlug(name);
  const base = slug === '' || isNumberOnly(slug, name) ? `product-${slug || toSlug(random())}` : slug;
  const skuSlug = toSlug(sku);
  return [base, ...(skuSlug === '' ? [] : [joinSlug(base, skuSlug)]), joinSlug(base, toSlug(random()))];
}

const isNumberOnly = (slug: string, name: string): boolean =>
  /^\d+$/.test(slug) && hasLettersWithoutSlug(name);

/** Builds the slug of a deleted product, so that its former slug is free. */
export function buildDeletedSlug(slug: string, now: Date): string {
  return `${Math.floor(now.getTime() / 1000)}_${slug}`.slice(0, MAX_LENGTH);
}

/**
 * Appends the ending to the base. A slug that is too long is shortened at the base, because the ending makes it unique.
 */
function joinSlug(base: string, ending: string): string {
  const end = `-${ending}`.slice(0, MAX_LENGTH);
  return `${base.slice(0, MAX_LENGTH - end.length).replace(/-+$/, '')}${end}`;
}
