import { toSlug } from '../../platform/slug';

const LONGEST = 255;

/** What a new slug is made from; `random` gives fresh text at every call. */
export interface SlugSource {
  name: string;
  sku: string;
  random: () => string;
}

/**
 * The slugs to try for a product, in this order: its name, name and sku, name and random text (behaviour reference
 * 5.2). The last one is as good as free.
 */
export function buildSlugCandidates({ name, sku, random }: SlugSource): string[] {
  const base = toSlug(name) || `product-${toSlug(random())}`;
  const article = toSlug(sku);
  return [base, ...(article === '' ? [] : [joinSlug(base, article)]), joinSlug(base, toSlug(random()))];
}

/** The slug of a deleted product, which leaves the plain one to others. */
export function buildDeletedSlug(slug: string, now: Date): string {
  return `${Math.floor(now.getTime() / 1000)}_${slug}`.slice(0, LONGEST);
}

/** The ending decides whether the slug is free, so it is the base that is cut. */
function joinSlug(base: string, ending: string): string {
  const end = `-${ending}`.slice(0, LONGEST);
  return `${base.slice(0, LONGEST - end.length).replace(/-+$/, '')}${end}`;
}
