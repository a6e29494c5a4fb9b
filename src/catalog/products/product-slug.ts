import { toSlug } from '../../platform/slug';

const MAX_LENGTH = 255;

/** The parts of a new slug. `random` returns a new text on every call. */
export interface SlugSource {
  name: string;
  sku: string;
  random: () => string;
}

/**
 * Builds the slugs to try for a product, in this order: name, name and sku, name and random text. The last
 * one is practically unique.
 */
export function buildSlugCandidates({ name, sku, random }: SlugSource): string[] {
  const base = toSlug(name) || `product-${toSlug(random())}`;
  const skuSlug = toSlug(sku);
  return [base, ...(skuSlug === '' ? [] : [joinSlug(base, skuSlug)]), joinSlug(base, toSlug(random()))];
}

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
