import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { PathIdOrName, PathName } from '../../platform/http/path-parameters';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';
import { catalogReplies } from '../catalog-replies';
import { getVisibleProduct } from '../product-queries/product-lookup';
import {
  ProductProperty,
  ProductPropertyCreate,
  ProductPropertyUpdate,
} from './product-properties.definition';
import {
  authorizeChange,
  authorizeWrite,
  updateProductProperty,
  createProductProperty,
  getProductProperty,
  listProductProperties,
  deleteProductProperty,
} from './product-properties.service';

/** Builds the router. A product that the actor may not see is 404, for writes too; only then is the role checked. */
export function productPropertiesRouter(): ApiRouter {
  const router = createApiRouter('Product properties', 'catalog');

  declareRecordEndpoints(router, '/products/:product_id/product_properties', {
    params: z.object({ product_id: PathName }),
    id: PathIdOrName,
    access: { read: 'anyone', write: 'admin_within' },
    parent: (ctx, params) => getVisibleProduct(ctx, params.product_id),
    get: getProductProperty,
    reply: ProductProperty.Json,
    serialize: ProductProperty.serialize,
    cache: catalogReplies,
    list: {
      summary: 'List the properties of a product, by position',
      description: 'Filter and sort with `q`.',
      search: ProductProperty.search,
      handle: (ctx, { params, list }) => listProductProperties(ctx, params.product_id, list),
    },
    new: {
      summary: 'Attributes of a product property; required ones are marked',
      attributes: { ...ProductProperty.attributeList, required_attributes: ['property_name'] },
    },
    show: {
      summary: 'Get a property of a product by id or property name',
      description: '`id` may be the id of the record or the name of the property.',
    },
    create: {
      summary: 'Add a property to a product',
      description:
        'Creates a property with that name if there is none. Replaces the value if the product has one.',
      input: ProductPropertyCreate,
      subject: (ctx, params) => authorizeWrite(ctx, params.product_id),
      handle: (ctx, { params, input }) =>
        createProductProperty(ctx, params.product_id, input.product_property),
    },
    update: {
      summary: 'Update a property of a product',
      description:
        'Another `property_name` moves the value to that property, which is created if it does not exist.',
      input: ProductPropertyUpdate,
      subject: authorizeChange,
      handle: (ctx, { params, input }) => updateProductProperty(ctx, params, input.product_property),
    },
    delete: {
      summary: 'Remove a property from a product',
      description: 'The property itself remains.',
      handle: (ctx, { params }) => deleteProductProperty(ctx, params),
    },
  });
  return router;
}
