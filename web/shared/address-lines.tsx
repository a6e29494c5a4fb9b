import type { Address } from 'store-api-client';
import { stateOf } from './address-state';

/** The lines of an address as they are written on a parcel. */
export function AddressLines({ address }: { address: Address }) {
  const { full_name, company, address1, address2, city, zipcode, country } = address;
  const place = [city, [stateOf(address), zipcode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return (
    <>
      {[full_name, company, address1, address2, place, country?.name].map(
        (line, index) => typeof line === 'string' && line !== '' && <span key={index}>{line}</span>,
      )}
    </>
  );
}
