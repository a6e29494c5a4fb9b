import {
  type AddressAttributes,
  type AddressCountry,
  checkAddress,
  buildFullName,
  buildStateText,
  isZipcodeValid,
} from '../../../src/geography/addresses/address-rules';

const usa: AddressCountry = {
  id: 1,
  iso: 'US',
  states_required: true,
  states: [
    { id: 10, name: 'New York', abbr: 'NY' },
    { id: 11, name: 'Washington', abbr: 'WA' },
    { id: 12, name: 'WA', abbr: 'XX' },
  ],
};
const monaco: AddressCountry = { id: 2, iso: 'MC', states_required: false, states: [] };
const japan: AddressCountry = {
  id: 3,
  iso: 'JP',
  states_required: true,
  states: [
    { id: 20, name: 'Hokkaido', abbr: '01' },
    { id: 21, name: 'Tokyo', abbr: '13' },
    { id: 22, name: 'Okinawa', abbr: '47' },
    { id: 23, name: 'Kyoto', abbr: '26' },
  ],
};
const ann: AddressAttributes = {
  firstname: 'Ann',
  lastname: 'Lee',
  address1: '1 Main Street',
  address2: null,
  city: 'New York',
  zipcode: '10001',
  phone: '555-0100',
  company: null,
  alternative_phone: null,
  state_id: 10,
  state_name: null,
};

const errorsOf = (changes: Partial<AddressAttributes>, country: AddressCountry | null = usa): unknown => {
  const checked = checkAddress({ ...ann, ...changes }, country);
  return 'errors' in checked ? checked.errors : {};
};
const stateOf = (changes: Partial<AddressAttributes>, country: AddressCountry = usa): unknown => {
  const checked = checkAddress({ ...ann, ...changes }, country);
  return 'errors' in checked ? checked.errors : [checked.address.state_id, checked.address.state_name];
};

test('keeps a valid address unchanged', () => {
  expect(checkAddress(ann, usa)).toEqual({ address: { ...ann, country_id: 1 } });
});

test('reports all missing fields at once', () => {
  const empty = { firstname: null, lastname: ' ', address1: '', city: null, zipcode: null, phone: null };
  const blank = ["can't be blank"];
  expect(errorsOf(empty)).toEqual({
    firstname: blank,
    lastname: blank,
    address1: blank,
    city: blank,
    phone: blank,
    zipcode: blank,
  });
  expect(errorsOf({ city: null }, null)).toEqual({ city: blank, country: blank });
});

test('a postal code without anything but its mark is missing', () => {
  expect(errorsOf({ state_id: 21, zipcode: '〒' }, japan)).toEqual({ zipcode: ["can't be blank"] });
  expect(errorsOf({ state_id: 21, zipcode: '〒100-0005' }, japan)).toEqual({});
});

describe('the state, if the country requires one', () => {
  test.each<[string, Partial<AddressAttributes>, unknown]>([
    ['its own id stays and clears the name', { state_id: 10, state_name: 'Elsewhere' }, [10, null]],
    ['a foreign id', { state_id: 99 }, { state: ['is invalid'] }],
    ['a foreign id is dropped for a name', { state_id: 99, state_name: 'New York' }, [10, null]],
    [
      'a foreign id with an unknown name',
      { state_id: 99, state_name: 'Atlantis' },
      { state: ['is invalid'] },
    ],
    ['a name', { state_id: null, state_name: 'new york' }, [10, null]],
    ['an abbreviation', { state_id: null, state_name: ' ny ' }, [10, null]],
    ['a name of two states', { state_id: null, state_name: 'WA' }, { state: ['is invalid'] }],
    ['an unknown name', { state_id: null, state_name: 'Atlantis' }, { state: ['is invalid'] }],
    ['neither', { state_id: null, state_name: ' ' }, { state: ["can't be blank"] }],
  ])('%s', (_name, changes, result) => {
    expect(stateOf(changes)).toEqual(result);
  });

  test.each([
    ['北海道', [20, null]],
    [' 東京都 ', [21, null]],
    ['沖縄県', [22, null]],
    ['東京', [21, null]],
    ['沖縄', [22, null]],
    ['京都', [23, null]],
    ['北海', { state: ['is invalid'] }],
    ['大阪府', { state: ['is invalid'] }],
  ])('the Japanese name of a prefecture of Japan: %s', (state_name, result) => {
    expect(stateOf({ state_id: null, state_name }, japan)).toEqual(result);
    expect(stateOf({ state_id: null, state_name }, { ...japan, iso: 'US' })).toEqual({
      state: ['is invalid'],
    });
  });

  test('a country without known states accepts any name', () => {
    expect(stateOf({ state_id: null, state_name: 'Somewhere' }, { ...usa, states: [] })).toEqual([
      null,
      'Somewhere',
    ]);
  });
});

test('without a required state, accepts any name and ignores a state of another country', () => {
  expect(stateOf({ state_id: null, state_name: null }, monaco)).toEqual([null, null]);
  expect(stateOf({ state_id: 10, state_name: 'Monte Carlo' }, monaco)).toEqual([null, 'Monte Carlo']);
});

test.each([
  ['US', '10001', true],
  ['US', '10001-1234', true],
  ['US', '1000', false],
  ['US', '10001-12', false],
  ['US', 'K1A 0B1', false],
  ['CA', 'K1A 0B1', true],
  ['CA', 'k1a0b1', true],
  ['CA', '10001', false],
  ['GB', 'SW1A 1AA', true],
  ['GB', 'M1 1AE', true],
  ['GB', 'EC1A1BB', true],
  ['GB', '10001', false],
  ['MC', 'anything', true],
  ['constructor', 'anything', true],
])('%s accepts %s: %s', (country, zipcode, fits) => {
  expect(isZipcodeValid(zipcode, country)).toBe(fits);
});

test('reports an invalid zip code as invalid and a missing one as blank', () => {
  expect(errorsOf({ zipcode: '123' })).toEqual({ zipcode: ['is invalid'] });
  expect(errorsOf({ zipcode: '' })).toEqual({ zipcode: ["can't be blank"] });
});

test('full name and state text', () => {
  expect(buildFullName({ firstname: 'Ann', lastname: 'Lee' })).toBe('Ann Lee');
  expect(buildStateText({ name: 'New York', abbr: 'NY' }, null)).toBe('NY');
  expect(buildStateText({ name: 'New York', abbr: '' }, null)).toBe('New York');
  expect(buildStateText(null, 'Monte Carlo')).toBe('Monte Carlo');
  expect(buildStateText(null, null)).toBeNull();
});
