import { buildDeletedSlug, buildSlugCandidates } from '../../../src/catalog/products/product-slug';

const random = () => '0af1';

test.each([
  ['Canvas Tote', '', ['canvas-tote', 'canvas-tote-0af1']],
  ['  Crème Brûlée -- 100%!  ', '', ['creme-brulee-100', 'creme-brulee-100-0af1']],
  ['Canvas Tote', 'TOTE/1', ['canvas-tote', 'canvas-tote-tote-1', 'canvas-tote-0af1']],
  ['Canvas Tote', '***', ['canvas-tote', 'canvas-tote-0af1']],
  ['!!!', '', ['product-0af1', 'product-0af1-0af1']],
  ['123', '', ['123', '123-0af1']],
  ['湯のみ 4', '', ['product-4', 'product-4-0af1']],
  ['煎茶 100g', '', ['100g', '100g-0af1']],
])('%j with sku %j has the candidates %j', (name, sku, slugs) => {
  expect(buildSlugCandidates({ name, sku, random })).toEqual(slugs);
});

test('long names are shortened to keep the unique ending', () => {
  const slugs = buildSlugCandidates({ name: `${'a'.repeat(250)} bcdefgh`, sku: 'S-1', random });
  expect(slugs.map((slug) => slug.length)).toEqual([255, 254, 255]);
  expect(slugs[1]?.endsWith('a-s-1')).toBe(true);
  expect(new Set(slugs).size).toBe(3);
});

test('a deleted product frees its slug, within the maximum length', () => {
  const now = new Date('2026-03-01T09:30:00.999Z');
  expect(buildDeletedSlug('canvas-tote', now)).toBe('1772357400_canvas-tote');
  expect(buildDeletedSlug('x'.repeat(255), now)).toHaveLength(255);
});
