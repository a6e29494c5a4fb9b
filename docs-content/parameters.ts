import type { ApiReference } from '../src/platform/openapi/reference';

/** What parameters mean that have the same meaning everywhere. */
export const parameters: ApiReference['parameters'] = {
  path: {
    id: 'The id of the record.',
    number: 'The number of the order.',
    product_id: 'The permalink or the id of the product.',
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
    ids: 'Exactly these, as `1,2,3` or a list; `q` is then ignored.',
    country_id: 'Only those of this country.',
    option_type_id: 'Only those of this option type.',
    stock_location_id: 'The stock location whose items are listed.',
    show_deleted: 'Those of deleted records too. For admins; false unless told.',
  },
};
