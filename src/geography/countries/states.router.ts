import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { State } from './states.definition';
import { getState, getStateOfCountry, listStates, listStatesOfCountry } from './states.service';

const CountryParams = z.object({ country_id: PathId });
const STATES = { key: 'states', item: State.Json, isWholeUnlessPaged: true } as const;
const StatesRequired = z
  .boolean()
  .describe('Whether addresses require a state. Present if the request names a country.');

export function statesRouter(): ApiRouter {
  const router = createApiRouter('Countries and states', 'settings');

  endpoint(router, 'get /states', {
    access: 'anyone',
    summary: 'List states of all countries, by name',
    description: 'Returns all states, or one page with its counts if `page` or `per_page` is sent.',
    search: State.search,
    query: z.object({ country_id: PathId.optional().catch(undefined) }),
    paged: { ...STATES, more: { states_required: StatesRequired.optional() } },
    handle: async (ctx, { query, list }) => {
      const { country, page } = await listStates(ctx, list, query.country_id ?? null);
      const more = country !== undefined && { more: { states_required: country.states_required } };
      return { ...mapPage(page, (state) => State.serialize(state)), ...more };
    },
  });
  endpoint(router, 'get /states/:id', {
    access: 'anyone',
    summary: 'Get a state',
    description: 'The id of a state is unique over all countries.',
    params: IdParams,
    reply: State.Json,
    handle: async (ctx, { params }) => State.serialize(await getState(ctx, params.id)),
  });
  endpoint(router, 'get /countries/:country_id/states', {
    access: 'anyone',
    summary: 'List states of a country, by name',
    description: 'Returns all states, or one page with its counts if `page` or `per_page` is sent.',
    params: CountryParams,
    search: State.search,
    paged: { ...STATES, more: { states_required: StatesRequired } },
    handle: async (ctx, { params, list }) => {
      const { country, page } = await listStatesOfCountry(ctx, params.country_id, list);
      const more = { states_required: country.states_required };
      return { ...mapPage(page, (state) => State.serialize(state)), more };
    },
  });
  endpoint(router, 'get /countries/:country_id/states/:id', {
    access: 'anyone',
    summary: 'Get a state of a country',
    description: 'Returns 404 for a state of another country.',
    params: CountryParams.extend({ id: PathId }),
    reply: State.Json,
    handle: async (ctx, { params }) =>
      State.serialize(await getStateOfCountry(ctx, params.country_id, params.id)),
  });
  return router;
}
