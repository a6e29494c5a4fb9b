import { getPlaceIds } from '../../support/addresses.factory';
import { api } from '../../support/api';
import { UNKNOWN_ID } from '../../support/error-bodies';

const names = (body: { countries: { name: string }[] }) => body.countries.map(({ name }) => name);

test('lists countries by name, in pages', async () => {
  const { body, status } = await api().get('/countries?per_page=500');
  expect(status).toBe(200);
  expect(body).toMatchObject({ current_page: 1, per_page: 500, pages: 1, total_count: body.count });
  expect(body.count).toBeGreaterThan(240);
  expect(names(body)).toEqual([...names(body)].sort());
  const second = await api().get('/countries?per_page=10&page=2');
  expect(names(second.body)).toEqual(names(body).slice(10, 20));
});

test('sorts and searches countries, also by their states', async () => {
  const descending = await api().get('/countries?q[s]=name%20desc&per_page=500');
  expect(names(descending.body)).toEqual([...names(descending.body)].sort().reverse());
  const searchNames = async (query: string) => names((await api().get(`/countries?${query}`)).body);
  expect(await searchNames('q[name_cont]=united%20STATES')).toContain('United States');
  expect(await searchNames('q[iso_eq]=DE')).toEqual(['Germany']);
  expect(await searchNames('q[numcode_eq]=840')).toEqual(['United States']);
  expect(await searchNames('q[states_name_eq]=Maryland')).toEqual(['United States']);
});

test('a country includes its states by name', async () => {
  const { country_id, state_id } = await getPlaceIds('US', 'MD');
  const { body } = await api().get(`/countries/${country_id}`);
  expect(body).toMatchObject({
    id: country_id,
    iso_name: 'UNITED STATES',
    iso: 'US',
    iso3: 'USA',
    name: 'United States',
    numcode: 840,
    states_required: true,
  });
  expect(body.states).toContainEqual({ id: state_id, name: 'Maryland', abbr: 'MD', country_id });
  const stateNames = body.states.map(({ name }: { name: string }) => name);
  expect(stateNames).toEqual([...stateNames].sort());
  expect((await api().get('/countries?q[iso_eq]=US')).body.countries[0]).not.toHaveProperty('states');
});

describe('states', () => {
  test('are returned in full unless a page is requested', async () => {
    const whole = (await api().get('/states')).body;
    expect(Object.keys(whole)).toEqual(['states']);
    expect(whole.states.length).toBeGreaterThan(300);
    const page = (await api().get('/states?page=2&per_page=5')).body;
    expect(page).toMatchObject({ count: 5, total_count: whole.states.length, current_page: 2, per_page: 5 });
    expect(page.states).toEqual(whole.states.slice(5, 10));
  });

  test('have the totals and links of a page in headers, and in full only their number', async () => {
    const { country_id } = await getPlaceIds('US', 'MD');
    for (const path of ['/states', `/countries/${country_id}/states`]) {
      const whole = await api().get(path);
      const { length } = whole.body.states;
      expect(whole.headers['x-total-count']).toBe(String(length));
      for (const name of ['x-page', 'x-pages', 'link']) expect(whole.headers).not.toHaveProperty(name);
      expect((await api().get(`${path}?per_page=5`)).headers).toMatchObject({
        'x-total-count': String(length),
        'x-page': '1',
        'x-per-page': '5',
        'x-pages': String(Math.ceil(length / 5)),
        link: expect.stringMatching(/rel="next"/),
      });
    }
  });

  test('of one country report whether its addresses require a state', async () => {
    const { country_id, state_id } = await getPlaceIds('US', 'MD');
    const under = (await api().get(`/countries/${country_id}/states`)).body;
    expect(Object.keys(under).sort()).toEqual(['states', 'states_required']);
    expect(under.states_required).toBe(true);
    const beside = (await api().get(`/states?country_id=${country_id}`)).body;
    expect(beside).toEqual(under);
    const page = (await api().get(`/countries/${country_id}/states?page=2&per_page=3`)).body;
    expect(page).toMatchObject({ count: 3, current_page: 2, per_page: 3, states_required: true });
    expect(page.states).toEqual(under.states.slice(3, 6));
    expect((await api().get(`/countries/${country_id}/states?q[abbr_eq]=MD`)).body.states).toEqual([
      { id: state_id, name: 'Maryland', abbr: 'MD', country_id },
    ]);
    expect((await api().get('/states?q[country_iso_eq]=US&q[abbr_eq]=MD')).body.states).toHaveLength(1);
  });

  test('are found by id, and only below their own country', async () => {
    const { country_id, state_id } = await getPlaceIds('US', 'MD');
    const canada = await getPlaceIds('CA', 'ON');
    expect((await api().get(`/states/${state_id}`)).body).toMatchObject({ abbr: 'MD', country_id });
    expect((await api().get(`/countries/${country_id}/states/${state_id}`)).status).toBe(200);
    expect((await api().get(`/countries/${canada.country_id}/states/${state_id}`)).status).toBe(404);
    expect((await api().get('/countries/2147483647/states')).status).toBe(404);
    expect((await api().get('/states/2147483647')).status).toBe(404);
  });
});

test('states say whether addresses require one whenever the request names a country', async () => {
  const { country_id } = await getPlaceIds('US', 'MD');
  expect((await api().get(`/states?country_id=${country_id}`)).body.states_required).toBe(true);
  expect((await api().get(`/states?country_id=${country_id}&page=1`)).body.states_required).toBe(true);
  expect((await api().get('/states')).body).not.toHaveProperty('states_required');
  expect((await api().get(`/states?country_id=${UNKNOWN_ID}`)).body).toEqual({ states: [] });
});
