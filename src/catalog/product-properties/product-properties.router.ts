import { z } from 'zod';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathIdOrName, PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { catalogReplies } from '../catalog-replies';
import { getVisibleProduct } from '../product/product-lookup';
import {
  ProductPropertyCreate,
  ProductPropertyJson,
  ProductPropertyUpdate,
} from './product-properties.schema';
import { productPropertySearch } from './product-properties.search';
import { serializeProductProperty } from './product-properties.serializer';
import {
  authorizeChange,
  authorizeWrite,
  updateProductProperty,
  createProductProperty,
  getProductProperty,
  listProductProperties,
  deleteProductProperty,
} from './product-properties.service';

const ProductParams = z.object({ product_id: PathName });
const PropertyParams = ProductParams.extend({ id: PathIdOrName });

/** Builds the router. A product that the actor may not see is 404, for writes too; only then is the role checked. */
export function productPropertiesRouter(): ApiRouter {
  const router = createApiRouter('Product properties', 'catalog');

  endpoint(router, 'get /products/:product_id/product_properties', {
    access: 'anyone',
    summary: 'List the properties of a product, by position',
    description: 'Filter and sort with `q`.',
    params: ProductParams,
    search: productPropertySearch,
    paged: { key: 'product_properties', item: ProductPropertyJson },
    cache: catalogReplies,
    handle: async (ctx, { params, list }) =>
      mapPage(await listProductProperties(ctx, params.product_id, list), serializeProductProperty),
  });
  endpoint(router, 'get /products/:product_id/product_properties/new', {
    access: 'anyone',
    summary: 'Attributes of a product property; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    params: ProductParams,
    reply: AttributeListJson,
    handle: async (ctx, { params }) => {
      await getVisibleProduct(ctx, params.product_id);
      return ATTRIBUTES;
    },
  });
  endpoint(router, 'get /products/:product_id/product_properties/:id', {
    access: 'anyone',
    summary: 'Get a property of a product by id or property name',
    description: '`id` may be the id of the record or the name of the property.',
    params: PropertyParams,
    reply: ProductPropertyJson,
    cache: catalogReplies,
    handle: async (ctx, { params }) => serializeProductProperty(await getProductProperty(ctx, params)),
  });
  endpoint(router, 'post /products/:product_id/product_properties', {
    access: 'admin_within',
    summary: 'Add a property to a product',
    description:
      'Creates a property with that name if there is none. Replaces the value if the product has one.',
    params: ProductParams,
    input: ProductPropertyCreate,
    subject: (ctx, params) => authorizeWrite(ctx, params.product_id),
    status: 201,
    reply: ProductPropertyJson,
    handle: async (ctx, { params, input }) =>
      serializeProductProperty(await createProductProperty(ctx, params.product_id, input.product_property)),
  });
  endpoint(router, 'put /products/:product_id/product_properties/:id', {
    access: 'admin_within',
    summary: 'Update a property of a product',
    description:
      'Another `property_name` moves the value to that property, which is created if it does not exist.',
    params: PropertyParams,
    input: ProductPropertyUpdate,
    subject: (ctx, params) => authorizeChange(ctx, params),
    reply: ProductPropertyJson,
    handle: async (ctx, { params, input }) =>
      serializeProductProperty(await updateProductProperty(ctx, params, input.product_property)),
  });
  endpoint(router, 'delete /products/:product_id/product_properties/:id', {
    access: 'admin_within',
    summary: 'Remove a property from a product',
    description: 'The property itself remains.',
    params: PropertyParams,
    status: 204,
    handle: (ctx, { params }) => deleteProductProperty(ctx, params),
  });
  return router;
}

const ATTRIBUTES = {
  attributes: ['id', 'product_id', 'property_id', 'value', 'property_name'],
  required_attributes: ['property_name'],
};
