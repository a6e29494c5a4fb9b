import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { ids } from '../../platform/http/fields';
import { PathIdOrName } from '../../platform/http/path-parameters';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { catalogReplies } from '../catalog-replies';
import { Property } from './properties.definition';
import { properties } from './properties.service';

export function propertiesRouter(): ApiRouter {
  const router = createApiRouter('Properties', 'catalog');
  declareEndpoints(router, {
    definition: Property,
    useCases: properties,
    serialize: Property.serialize,
    access: { read: 'anyone', write: 'admin' },
    id: PathIdOrName,
    query: z.object({ ids: ids().optional.catch(undefined) }),
    cache: catalogReplies,
    summaries: {
      list: 'List properties of products',
      show: 'Get a property by id or name',
      delete: 'Delete a property and its values for products',
    },
  });
  return router;
}
