import slug from 'slugify';
export function slugify(name: string): string {
  return slug(name, { lower: true, strict: true });
}
