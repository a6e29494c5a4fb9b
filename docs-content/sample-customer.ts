/** The address of the customer in all examples, as a request body. */
export const address = {
  firstname: 'Ann',
  lastname: 'Lee',
  address1: '1 Harbour Street',
  city: 'Portland',
  zipcode: '04101',
  phone: '207-555-0100',
  country: { iso: 'US' },
  state: { abbr: 'ME' },
};

/** A card that the test gateway accepts. */
export const card = {
  number: '4111111111111111',
  month: '12',
  year: '2035',
  verification_value: '123',
  name: 'Ann Lee',
};
