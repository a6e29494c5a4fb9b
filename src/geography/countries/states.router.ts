import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { State } from './states.definition';
import { serializeStateList, StateListJson } from './states.serializer';
import { getState, getStateOfCountry, listStates, listStatesOfCountry } from './states.service';

const CountryParams = z.object({ country_id: PathId });

export function statesRouter(): ApiRouter {
  const router = createApiRouter('Countries and states', 'settings');

  endpoint(router, 'get /states', {
    access: 'anyone',
    summary: 'List states of all countries, by name',
    description: 'Returns all states, or one page with its counts if `page` or `per_page` is sent.',
    search: State.search,
    query: z.object({ country_id: PathId.optional().catch(undefined) }),
    reply: StateListJson,
    handle: async (ctx, { query, list }) => {
      const { country, page } = await listStates(ctx, list, query.country_id ?? null);
      return {
        ...serializeStateList(page, list.isPaged),
        ...(country !== undefined && {
          states_required: country.states_required,
        }),
      };
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
    reply: StateListJson.extend({
      states_required: z.boolean().describe('Whether addresses in this country require a state.'),
    }),
    handle: async (ctx, { params, list }) => {
      const { country, page } = await listStatesOfCountry(ctx, params.country_id, list);
      return {
        ...serializeStateList(page, list.isPaged),
        states_required: country.states_required,
      };
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
