import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { Country, CountryWithStatesJson, serializeCountryWithStates } from './countries.definition';
import { getCountry, listCountries } from './countries.service';

export function countriesRouter(): ApiRouter {
  const router = createApiRouter('Countries and states', 'settings');

  endpoint(router, 'get /countries', {
    access: 'anyone',
    summary: 'List countries, by name',
    description: 'Filter and sort with `q`.',
    search: Country.search,
    paged: { key: 'countries', item: Country.Json },
    handle: async (ctx, { list }) =>
      mapPage(await listCountries(ctx, list), (country) => Country.serialize(country)),
  });
  endpoint(router, 'get /countries/:id', {
    access: 'anyone',
    summary: 'Get a country with its states',
    description: 'Addresses in a country with `states_required` need one of its states.',
    params: IdParams,
    reply: CountryWithStatesJson,
    handle: async (ctx, { params }) => {
      const { country, states } = await getCountry(ctx, params.id);
      return serializeCountryWithStates(country, states);
    },
  });
  return router;
}
