import type { Knex } from 'knex';
import countries from '../../seeds/reference/countries.json';
import { loadFacts } from '../../seeds/reference';
import states from '../../seeds/reference/states.json';
import { closeDatabase, digestOf, ownDatabase } from './own-database';

const countryByIso = new Map(countries.map((country) => [country.iso, country]));
const statesByIso = new Map<string, { name: string; abbr: string }[]>(Object.entries(states));

/** The current counts in ISO 3166-2. */
const STATE_COUNTS: [string, number][] = [
  ['AE', 7],
  ['AU', 8],
  ['BR', 27],
  ['CA', 13],
  ['CN', 31],
  ['DE', 16],
  ['ES', 52],
  ['GB', 4],
  ['IN', 36],
  ['IT', 107],
  ['JP', 47],
  ['KR', 17],
  ['MX', 32],
  ['US', 57],
];

describe('countries.json', () => {
  test('contains the 249 countries of ISO 3166-1, each code once', () => {
    for (const code of ['iso', 'iso3', 'numcode', 'name'] as const) {
      expect(new Set(countries.map((country) => country[code])).size).toBe(249);
    }
  });

  test('has countries in the format of the API', () => {
    expect(countryByIso.get('US')).toEqual({
      iso: 'US',
      iso3: 'USA',
      numcode: 840,
      name: 'United States',
      iso_name: 'UNITED STATES',
      states_required: true,
    });
    expect(countryByIso.get('CI')).toMatchObject({
      name: "Côte d'Ivoire",
      iso_name: "CÔTE D'IVOIRE",
      numcode: 384,
    });
    expect(countryByIso.get('AF')).toMatchObject({ iso3: 'AFG', numcode: 4, states_required: false });
  });

  test('has well-formed codes and names', () => {
    const malformed = countries.filter(
      ({ iso, iso3, numcode, name, iso_name }) =>
        !/^[A-Z]{2}$/.test(iso) ||
        !/^[A-Z]{3}$/.test(iso3) ||
        !Number.isInteger(numcode) ||
        numcode < 4 ||
        numcode >= 900 ||
        name !== name.trim() ||
        iso_name !== name.toLocaleUpperCase('en'),
    );
    expect(malformed).toEqual([]);
  });

  test('requires a state only for countries with states', () => {
    const asking = countries.filter((country) => country.states_required).map((country) => country.iso);
    expect(asking.sort()).toEqual(['AE', 'AU', 'BR', 'CA', 'CN', 'ES', 'IN', 'IT', 'JP', 'KR', 'MX', 'US']);
    expect(asking.filter((iso) => !statesByIso.has(iso))).toEqual([]);
  });
});

describe('states.json', () => {
  test.each(STATE_COUNTS)('%s has %i states, each name and code once', (iso, count) => {
    const list = statesByIso.get(iso) ?? [];
    expect(list).toHaveLength(count);
    expect(new Set(list.map((state) => state.name)).size).toBe(count);
    expect(new Set(list.map((state) => state.abbr)).size).toBe(count);
  });

  test('has only existing countries, all of which have a count above', () => {
    expect([...statesByIso.keys()].sort()).toEqual(STATE_COUNTS.map(([iso]) => iso));
    expect([...statesByIso.keys()].filter((iso) => !countryByIso.has(iso))).toEqual([]);
  });

  test.each([
    ['US', 'MD', 'Maryland'],
    ['US', 'DC', 'District of Columbia'],
    ['US', 'PR', 'Puerto Rico'],
    ['CA', 'QC', 'Quebec'],
    ['AU', 'ACT', 'Australian Capital Territory'],
    ['GB', 'SCT', 'Scotland'],
    ['DE', 'BY', 'Bayern'],
    ['IN', 'TS', 'Telangana'],
    ['IN', 'LA', 'Ladakh'],
    ['BR', 'SP', 'São Paulo'],
    ['MX', 'CMX', 'Ciudad de México'],
    ['JP', '13', 'Tokyo'],
    ['IT', 'MI', 'Milano'],
    ['IT', 'SU', 'Sud Sardegna'],
    ['ES', 'A', 'Alicante'],
    ['CN', 'BJ', 'Beijing'],
  ])('%s has %s, %s', (iso, abbr, name) => {
    expect(statesByIso.get(iso)).toContainEqual({ name, abbr });
  });

  test.each([
    ['IN', 'DD'],
    ['IN', 'OR'],
    ['IT', 'OG'],
    ['CN', '71'],
  ])('%s no longer has %s', (iso, abbr) => {
    expect(statesByIso.get(iso)?.map((state) => state.abbr)).not.toContain(abbr);
  });
});

describe('loadFacts', () => {
  let db: Knex;

  beforeAll(async () => {
    db = await ownDatabase();
  });
  afterAll(() => closeDatabase(db));

  test('loads all countries and states, the United States first', async () => {
    expect(await db('countries').count().first()).toEqual({ count: '249' });
    expect(await db('states').count().first()).toEqual({
      count: String(STATE_COUNTS.reduce((sum, [, n]) => sum + n, 0)),
    });
    expect(await db('countries').where({ iso: 'US' }).first('id')).toEqual({ id: 1 });
    const maryland = await db('states')
      .join('countries', 'countries.id', 'country_id')
      .where({ abbr: 'MD', iso: 'US' })
      .first('states.name');
    expect(maryland).toEqual({ name: 'Maryland' });
  });

  test('changes nothing when repeated, even twice at once', async () => {
    const before = await digestOf(db);
    await Promise.all([loadFacts(db), loadFacts(db)]);
    expect(await digestOf(db)).toEqual(before);
  });

  test('updates changed rows and adds missing ones, keeping ids', async () => {
    const germany = await db('countries').where({ iso: 'DE' }).first('id');
    await db('countries').where({ iso: 'DE' }).update({ name: 'Old Name', states_required: true });
    await db('states').where({ country_id: germany.id, abbr: 'BY' }).update({ name: 'Bavaria' });
    await db('states').where({ country_id: germany.id, abbr: 'HH' }).delete();

    await loadFacts(db);

    expect(await db('countries').where({ iso: 'DE' }).first('id', 'name', 'states_required')).toEqual({
      id: germany.id,
      name: 'Germany',
      states_required: false,
    });
    expect(
      await db('states')
        .where({ country_id: germany.id })
        .whereIn('abbr', ['BY', 'HH'])
        .orderBy('abbr')
        .pluck('name'),
    ).toEqual(['Bayern', 'Hamburg']);
  });
});
