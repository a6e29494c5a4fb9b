import { testDb } from './database';

/** Builds a complete address in Maryland as clients send it, with country and state by code. */
export function anAddress(attributes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    firstname: 'Ann',
    lastname: 'Archer',
    address1: '7735 Old Georgetown Rd',
    city: 'Bethesda',
    phone: '3014445002',
    zipcode: '20814',
    country: { iso: 'US' },
    state: { abbr: 'MD' },
    ...attributes,
  };
}

/** Returns the ids of a country by its ISO 3166-1 code, and of one of its states by its abbreviation. */
export async function getPlaceIds(
  iso: string,
  abbr: string,
): Promise<{ country_id: number; state_id: number }> {
  const place = await testDb()('states')
    .join('countries', 'countries.id', 'states.country_id')
    .where({ iso, abbr })
    .first('states.id as state_id', 'countries.id as country_id');
  if (place === undefined) throw new Error(`no state ${abbr} in ${iso}`);
  return place;
}
