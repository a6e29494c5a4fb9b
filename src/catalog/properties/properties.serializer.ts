import type { PropertyRow } from './properties.repository';
import type { PropertyJson } from './properties.schema';

export function serializeProperty(property: PropertyRow): PropertyJson {
  return { id: property.id, name: property.name, presentation: property.presentation };
}
