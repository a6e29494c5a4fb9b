import { Country } from '../countries/countries.definition';
import { State } from '../countries/states.definition';
import { buildFullName, buildStateText } from './address-rules';
import type { AddressGraph } from './addresses.repository';
import type { AddressJson } from './addresses.schema';

export function serializeAddress(address: AddressGraph): AddressJson {
  return {
    id: address.id,
    firstname: address.firstname,
    lastname: address.lastname,
    full_name: buildFullName(address),
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    zipcode: address.zipcode,
    phone: address.phone,
    company: address.company,
    alternative_phone: address.alternative_phone,
    country_id: address.country_id,
    state_id: address.state_id,
    state_name: address.state_name,
    state_text: buildStateText(address.state, address.state_name),
    country: Country.serialize(address.country),
    state: address.state === null ? null : State.serialize(address.state),
  };
}
