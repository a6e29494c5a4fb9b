import fc from 'fast-check';
import { toSlug } from '../../../src/platform/slug';

test.each([
  ['Ruby on Rails Tote', 'ruby-on-rails-tote'],
  ['  --Bags & Cases!--  ', 'bags-cases'],
  ["Men's 50% / Sale®", 'men-s-50-sale'],
  ['Größe Ünïcödé', 'grosse-unicode'],
  ['Cafe\u0301', 'cafe'],
  ['日本', ''],
  ['', ''],
])('%j is %j', (text, slug) => {
  expect(toSlug(text)).toBe(slug);
});

test('always returns a path segment, and does not change a slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const slug = toSlug(text);
      expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
      expect(slug.length).toBeLessThanOrEqual(255);
      expect(toSlug(slug)).toBe(slug);
    }),
  );
});
