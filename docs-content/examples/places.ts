import type { AddressJson } from '../../src/geography/addresses/addresses.schema';
import type { CountryJson } from '../../src/geography/countries/countries.definition';
import type { StateJson } from '../../src/geography/countries/states.definition';
import type { ZoneJson } from '../../src/geography/zones/zones.definition';
import type { ResourceExamples } from './resource-examples';

export const country: CountryJson = {
  id: 1,
  iso_name: 'UNITED STATES',
  iso: 'US',
  iso3: 'USA',
  name: 'United States',
  numcode: 840,
  states_required: true,
};

export const state: StateJson = { id: 419, name: 'Maine', abbr: 'ME', country_id: 1 };

export const address: AddressJson = {
  id: 1,
  firstname: 'Ann',
  lastname: 'Lee',
  full_name: 'Ann Lee',
  address1: '1 Harbour Street',
  address2: null,
  city: 'Portland',
  zipcode: '04101',
  phone: '207-555-0100',
  company: null,
  alternative_phone: null,
  country_id: 1,
  state_id: 419,
  state_name: null,
  state_text: 'ME',
  country,
  state,
};

export const zone: ZoneJson = {
  id: 1,
  name: 'EU',
  description: 'Countries that make up the EU VAT zone',
  default_tax: false,
  zone_members: [
    { id: 1, zoneable_type: 'Store::Country', zoneable_id: 16, name: 'Austria' },
    { id: 2, zoneable_type: 'Store::Country', zoneable_id: 23, name: 'Belgium' },
  ],
};

export const placesExamples: ResourceExamples = {
  replies: {
    Country: country,
    State: state,
    Address: address,
    Zone: zone,
  },
  requests: {
    'post /zones': {
      zone: { name: 'Benelux', zone_members: [{ zoneable_type: 'Store::Country', zoneable_id: 21 }] },
    },
    'put /zones/:id': { zone: { description: 'Belgium, the Netherlands, Luxembourg' } },
  },
  parameters: {
    places: {
      '/countries/:id': 1,
      '/countries/:country_id': 1,
      '/countries/:country_id/states/:id': 398,
      '/states/:id': 398,
      '/zones/:id': 2,
    },
    routes: {
      'delete /zones/:id': { id: 1 },
    },
  },
};
