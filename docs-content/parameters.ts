import type { ApiReference } from '../src/platform/openapi/reference';

/** Descriptions of parameters that have the same meaning in all endpoints. */
export const parameters: ApiReference['parameters'] = {
  path: {
    id: 'The id of the record.',
    number: 'The number of the order.',
    product_id: 'The slug or the id of the product.',
    variant_id: 'The id of the variant.',
    option_type_id: 'The id of the option type.',
    taxonomy_id: 'The id of the taxonomy.',
    country_id: 'The id of the country.',
    stock_location_id: 'The id of the stock location.',
    user_id: 'The id of the user.',
    code: 'The coupon code.',
  },
  query: {
    id: 'The id of the taxon.',
    ids: 'Return exactly these records, as `1,2,3` or a list; `q` is ignored.',
    country_id: 'Return only the records of this country.',
    option_type_id: 'Return only the records of this option type.',
    stock_location_id: 'Return the stock items of this stock location.',
    show_deleted: 'Include deleted records. Defaults to false; ignored unless the caller is an admin.',
  },
};
