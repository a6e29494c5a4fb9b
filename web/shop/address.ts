import type { Address, AddressAttributes } from 'store-api-client';

/** The address that a form holds. */
export interface AddressForm {
  firstname: string;
  lastname: string;
  company: string;
  address1: string;
  address2: string;
  zipcode: string;
  city: string;
  phone: string;
  countryId: number;
  stateId: number;
  stateName: string;
}

export const emptyAddress = (countryId: number): AddressForm => ({
  firstname: '',
  lastname: '',
  company: '',
  address1: '',
  address2: '',
  zipcode: '',
  city: '',
  phone: '',
  countryId,
  stateId: 0,
  stateName: '',
});

/** Returns a stored address as a form holds it. */
export const toForm = (address: Address): AddressForm => ({
  firstname: address.firstname ?? '',
  lastname: address.lastname ?? '',
  company: address.company ?? '',
  address1: address.address1 ?? '',
  address2: address.address2 ?? '',
  zipcode: address.zipcode ?? '',
  city: address.city ?? '',
  phone: address.phone ?? '',
  countryId: address.country_id ?? 0,
  stateId: address.state_id ?? 0,
  stateName: address.state_name ?? '',
});

/** Returns an address of a form as the API takes it. */
export const toAttributes = ({ countryId, stateId, stateName, ...rest }: AddressForm): AddressAttributes => ({
  ...rest,
  country_id: countryId,
  ...(stateId > 0
    ? { state_id: stateId }
    : { state_id: null, state_name: stateName === '' ? null : stateName }),
});
