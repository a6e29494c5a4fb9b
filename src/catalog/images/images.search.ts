import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** The list joins each image's variant: the master's images come first, then those of each variant. */
export const imageSearch: SearchDefinition = {
  table: 'images',
  attributes: { id: 'integer', alt: 'text', position: 'integer' },
  baseOrder: ['variants.is_master DESC', 'variants.position ASC', 'variants.id ASC', 'images.position ASC'],
};
