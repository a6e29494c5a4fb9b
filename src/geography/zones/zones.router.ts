import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { Zone } from './zones.definition';
import { serializeZone } from './zones.serializer';
import { zones } from './zones.service';

export function zonesRouter(): ApiRouter {
  const router = createApiRouter('Zones', 'settings');
  declareEndpoints(router, {
    definition: Zone,
    useCases: zones,
    serialize: serializeZone,
    access: { read: 'anyone', write: 'admin' },
    summaries: {
      list: 'List zones with their members, by name',
      show: 'Get a zone with its members',
      create: 'Create a zone of countries or of states',
      update: 'Update a zone; sent members replace the existing ones',
      delete: 'Delete a zone that is not used by tax rates',
    },
  });
  return router;
}
