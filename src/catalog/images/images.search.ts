import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** Expects `variants` joined: the images of the master come first, then those of each variant. */
export const imageSearch: SearchDefinition = {
  table: 'images',
  attributes: { id: 'integer', alt: 'text', position: 'integer' },
  baseOrder: ['variants.is_master DESC', 'variants.position ASC', 'variants.id ASC', 'images.position ASC'],
};
