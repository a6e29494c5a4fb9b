import type { SearchDefinition } from '../../platform/query-builder/define-search';
import { productSearch } from '../product-queries/products.search';

export const relationSearch: SearchDefinition = {
  table: 'product_relations',
  attributes: {
    id: 'integer',
    related_id: 'integer',
    kind: 'text',
    position: 'integer',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  baseOrder: ['product_relations.position ASC'],
};

/** The related products of one product, by the position of their first relation. */
export const relatedProductSearch: SearchDefinition = {
  ...productSearch,
  baseOrder: ['related.position ASC'],
};
