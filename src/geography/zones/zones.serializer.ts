import { Zone, type ZoneJson, type ZoneMemberJson } from './zones.definition';
import type { ZoneGraph, ZoneMemberRow } from './zones.repository';

export function serializeZone(zone: ZoneGraph): ZoneJson {
  return Zone.serialize(zone, { zone_members: zone.zone_members.map(serializeZoneMember) });
}

function serializeZoneMember(member: ZoneMemberRow): ZoneMemberJson {
  const { id, country_id, state_id, name } = member;
  return country_id === null
    ? { id, zoneable_type: 'Store::State', zoneable_id: state_id, name }
    : { id, zoneable_type: 'Store::Country', zoneable_id: country_id, name };
}
