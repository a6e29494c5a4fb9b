import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { CountryJson, CountryWithStatesJson } from './countries.schema';
import { countrySearch } from './countries.search';
import { serializeCountry, serializeCountryWithStates } from './countries.serializer';
import { getCountry, listCountries } from './countries.service';

export function countriesRouter(): ApiRouter {
  const router = createApiRouter('Countries and states', 'settings');

  endpoint(router, 'get /countries', {
    access: 'anyone',
    summary: 'List countries, by name',
    search: countrySearch,
    paged: { key: 'countries', item: CountryJson },
    handle: async (ctx, { list }) => mapPage(await listCountries(ctx, list), serializeCountry),
  });
  endpoint(router, 'get /countries/:id', {
    access: 'anyone',
    summary: 'Get a country with its states',
    params: IdParams,
    reply: CountryWithStatesJson,
    handle: async (ctx, { params }) => {
      const { country, states } = await getCountry(ctx, params.id);
      return serializeCountryWithStates(country, states);
    },
  });
  return router;
}
