import { Country } from '../../geography/countries/countries.definition';
import { State } from '../../geography/countries/states.definition';
import type { StockLocationGraph } from './stock-locations.repository';
import type { StockLocationJson } from './stock-locations.schema';

export function serializeStockLocation(location: StockLocationGraph): StockLocationJson {
  return {
    id: location.id,
    name: location.name,
    admin_name: location.admin_name,
    default: location.is_default,
    address1: location.address1,
    address2: location.address2,
    city: location.city,
    state_id: location.state_id,
    state_name: location.state_name,
    country_id: location.country_id,
    zipcode: location.zipcode,
    phone: location.phone,
    active: location.active,
    backorderable_default: location.backorderable_default,
    propagate_all_variants: location.propagate_all_variants,
    country: location.country === null ? null : Country.serialize(location.country),
    state: location.state === null ? null : State.serialize(location.state),
  };
}
