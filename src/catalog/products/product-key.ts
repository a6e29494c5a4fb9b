import { hasLettersWithoutSlug, toSlug } from '../../platform/slug';

/** How a row of a file names its product. */
export interface ProductName {
  slug?: string | null | undefined;
  name?: string | null | undefined;
}

/** Returns the slug that a row gives its product; null if its slug or name cannot tell products apart, such as 煎茶 100g. */
export function findNamedSlug(row: ProductName): string | null {
  const text = getNamingText(row);
  const slug = toSlug(text);
  const isAmbiguous = isSlugBlank(row) && hasLettersWithoutSlug(text);
  return slug === '' || isAmbiguous ? null : slug;
}

/** Returns a text that rows of one product share; '' if a row names none. */
export function buildProductKey(row: ProductName): string {
  const text = getNamingText(row);
  return findNamedSlug(row) ?? (text === '' ? '' : `name ${text}`);
}

function getNamingText(row: ProductName): string {
  return (isSlugBlank(row) ? row.name : row.slug) ?? '';
}

const isSlugBlank = ({ slug }: ProductName): boolean => slug == null || slug === '';
