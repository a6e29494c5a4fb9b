import slug from 'slugify';

/** The name as it stands in URLs and file names: lower-case ASCII words joined by `-`. */
export function slugify(name: string): string {
  return slug(name, { lower: true, strict: true });
}
