import {
  findOrderZone,
  zoneContainsAddress,
  zoneContainsZone,
  type ZoneFacts,
} from '../../../src/geography/zones/zone-matching';

const country = (id: number) => ({ country_id: id, state_id: null, state_country_id: null });
const state = (id: number, of: number) => ({ country_id: null, state_id: id, state_country_id: of });
const zone = (id: number, members: ZoneFacts['members'], default_tax = false): ZoneFacts => ({
  id,
  default_tax,
  members,
});

const USA = 840;
const CANADA = 124;
const newYorkCity = { country_id: USA, state_id: 36 };
const northAmerica = zone(1, [country(USA), country(CANADA)]);
const usa = zone(2, [country(USA)]);
const east = zone(3, [state(36, USA), state(25, USA)]);
const newYork = zone(4, [state(36, USA)]);
const europe = zone(5, [country(724)], true);

test('an address is in the zones of its country and of its state', () => {
  const names = [northAmerica, usa, east, newYork, europe].filter((one) =>
    zoneContainsAddress(one, newYorkCity),
  );
  expect(names.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(zoneContainsAddress(newYork, { country_id: USA, state_id: null })).toBe(false);
  expect(zoneContainsAddress(usa, { country_id: USA, state_id: null })).toBe(true);
  expect(zoneContainsAddress(zone(9, []), newYorkCity)).toBe(false);
});

test('a state id is not mistaken for a country id', () => {
  expect(zoneContainsAddress(zone(9, [country(36)]), newYorkCity)).toBe(false);
  expect(zoneContainsAddress(zone(9, [state(USA, 1)]), newYorkCity)).toBe(false);
});

describe('the order zone', () => {
  test('prefers state zones, then the smallest, then the oldest zone', () => {
    const newYorkAgain = zone(8, [state(36, USA)]);
    expect(findOrderZone([northAmerica, usa, newYorkAgain, east, newYork], newYorkCity)?.id).toBe(4);
    expect(findOrderZone([northAmerica, usa, east], newYorkCity)?.id).toBe(3);
    expect(findOrderZone([northAmerica, usa], newYorkCity)?.id).toBe(2);
    expect(findOrderZone([northAmerica], newYorkCity)?.id).toBe(1);
  });

  test('is the default tax zone if no zone matches or there is no address; otherwise null', () => {
    const abroad = { country_id: 392, state_id: null };
    expect(findOrderZone([usa, europe], abroad)?.id).toBe(5);
    expect(findOrderZone([usa, europe], null)?.id).toBe(5);
    expect(findOrderZone([usa], abroad)).toBeNull();
  });

  test('does not change the given list', () => {
    const zones = [northAmerica, newYork];
    findOrderZone(zones, newYorkCity);
    expect(zones).toEqual([northAmerica, newYork]);
  });
});

test.each<[ZoneFacts, ZoneFacts, boolean]>([
  [northAmerica, usa, true],
  [usa, northAmerica, false],
  [usa, newYork, true],
  [newYork, usa, false],
  [east, newYork, true],
  [newYork, east, false],
  [europe, newYork, false],
  [usa, zone(9, []), false],
  [zone(9, []), usa, false],
])('zone %# contains the other: %s', (outer, inner, contains) => {
  expect(zoneContainsZone(outer, inner)).toBe(contains);
});
