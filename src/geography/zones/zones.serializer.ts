import type { ZoneGraph, ZoneMemberRow } from './zones.repository';
import type { ZoneJson, ZoneMemberJson } from './zones.schema';

export function serializeZone(zone: ZoneGraph): ZoneJson {
  return {
    id: zone.id,
    name: zone.name,
    description: zone.description,
    default_tax: zone.default_tax,
    zone_members: zone.zone_members.map(serializeZoneMember),
  };
}

function serializeZoneMember(member: ZoneMemberRow): ZoneMemberJson {
  const { id, country_id, state_id } = member;
  return country_id === null
    ? { id, zoneable_type: 'Store::State', zoneable_id: state_id }
    : { id, zoneable_type: 'Store::Country', zoneable_id: country_id };
}
