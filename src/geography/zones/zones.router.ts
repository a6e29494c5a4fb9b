import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { ZONE_ATTRIBUTES, ZONE_REQUIRED, ZoneCreate, ZoneJson, ZoneUpdate } from './zones.schema';
import { zoneSearch } from './zones.search';
import { serializeZone } from './zones.serializer';
import { changeZone, createZone, getZone, listZones, removeZone } from './zones.service';

export function zonesRouter(): ApiRouter {
  const router = apiRouter('Zones');

  endpoint(router, 'get /zones', {
    access: 'anyone',
    summary: 'Zones with their members, by name',
    search: zoneSearch,
    paged: { key: 'zones', item: ZoneJson },
    handle: async (ctx, { list }) => mapPage(await listZones(ctx, list), serializeZone),
  });
  endpoint(router, 'get /zones/new', {
    access: 'anyone',
    summary: 'What a zone has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({ attributes: [...ZONE_ATTRIBUTES], required_attributes: [...ZONE_REQUIRED] }),
  });
  endpoint(router, 'get /zones/:id', {
    access: 'anyone',
    summary: 'One zone with its members',
    params: IdParams,
    reply: ZoneJson,
    handle: async (ctx, { params }) => serializeZone(await getZone(ctx, params.id)),
  });
  endpoint(router, 'post /zones', {
    access: 'admin',
    summary: 'Create a zone of countries or of states',
    input: ZoneCreate,
    status: 201,
    reply: ZoneJson,
    handle: async (ctx, { input }) => serializeZone(await createZone(ctx, input.zone)),
  });
  endpoint(router, 'put /zones/:id', {
    access: 'admin',
    summary: 'Change a zone; members that are sent replace those it has',
    params: IdParams,
    input: ZoneUpdate,
    subject: (ctx, params) => getZone(ctx, params.id),
    reply: ZoneJson,
    handle: async (ctx, { params, input }) => serializeZone(await changeZone(ctx, params.id, input.zone)),
  });
  endpoint(router, 'delete /zones/:id', {
    access: 'admin',
    summary: 'Delete a zone that no tax rate uses',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeZone(ctx, params.id),
  });
  return router;
}
