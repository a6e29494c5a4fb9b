import { z } from 'zod';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { ids } from '../../platform/http/fields';
import { PathIdOrName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { catalogReplies } from '../catalog-replies';
import { PROPERTY_REQUIRED, PropertyCreate, PropertyJson, PropertyUpdate } from './properties.schema';
import { propertySearch } from './properties.search';
import { serializeProperty } from './properties.serializer';
import {
  changeProperty,
  createProperty,
  getProperty,
  listProperties,
  removeProperty,
} from './properties.service';

const PropertyParams = z.object({ id: PathIdOrName });

export function propertiesRouter(): ApiRouter {
  const router = apiRouter('Properties');

  endpoint(router, 'get /properties', {
    access: 'anyone',
    summary: 'Properties products may have',
    query: z.object({ ids: ids().optional.catch(undefined) }),
    search: propertySearch,
    paged: { key: 'properties', item: PropertyJson },
    cache: catalogReplies,
    handle: async (ctx, { list }) => mapPage(await listProperties(ctx, list), serializeProperty),
  });
  endpoint(router, 'get /properties/new', {
    access: 'anyone',
    summary: 'What a property has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: ['id', 'name', 'presentation'],
        required_attributes: [...PROPERTY_REQUIRED],
      }),
  });
  endpoint(router, 'get /properties/:id', {
    access: 'anyone',
    summary: 'One property, by id or name',
    params: PropertyParams,
    reply: PropertyJson,
    cache: catalogReplies,
    handle: async (ctx, { params }) => serializeProperty(await getProperty(ctx, params.id)),
  });
  endpoint(router, 'post /properties', {
    access: 'admin',
    summary: 'Create a property',
    input: PropertyCreate,
    status: 201,
    reply: PropertyJson,
    handle: async (ctx, { input }) => serializeProperty(await createProperty(ctx, input.property)),
  });
  endpoint(router, 'put /properties/:id', {
    access: 'admin',
    summary: 'Change a property',
    params: PropertyParams,
    input: PropertyUpdate,
    subject: (ctx, params) => getProperty(ctx, params.id),
    reply: PropertyJson,
    handle: async (ctx, { params, input }) =>
      serializeProperty(await changeProperty(ctx, params.id, input.property)),
  });
  endpoint(router, 'delete /properties/:id', {
    access: 'admin',
    summary: 'Delete a property, and the values products have of it',
    params: PropertyParams,
    status: 204,
    handle: (ctx, { params }) => removeProperty(ctx, params.id),
  });
  return router;
}
