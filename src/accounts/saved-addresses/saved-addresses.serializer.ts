import { serializeAddress } from '../../geography/addresses/addresses.serializer';
import type { SavedAddress } from '../saved-addresses.repository';
import type { SavedAddressJson } from './saved-addresses.schema';

export function serializeSavedAddress(address: SavedAddress): SavedAddressJson {
  const { default_bill, default_ship } = address;
  return { ...serializeAddress(address), default_bill, default_ship };
}
