/** A country (`country_id` set) or a state (`state_id` set, with the country it lies in); never both. */
export interface ZoneMember {
  country_id: number | null;
  state_id: number | null;
  /** Of a state; null for a country. */
  state_country_id: number | null;
}

export interface ZoneFacts {
  id: number;
  default_tax: boolean;
  members: readonly ZoneMember[];
}

/** What of an address decides its zones. */
export interface Place {
  country_id: number;
  state_id: number | null;
}

/** Whether an address lies in the zone, by its country or its state. */
export function zoneContainsAddress(zone: ZoneFacts, place: Place): boolean {
  return zone.members.some((member) =>
    member.state_id === null ? member.country_id === place.country_id : member.state_id === place.state_id,
  );
}

/** Whether everything in `inner` also lies in `outer`. A zone without members contains nothing and lies nowhere. */
export function zoneContainsZone(outer: ZoneFacts, inner: ZoneFacts): boolean {
  return inner.members.length > 0 && inner.members.every((member) => hasMember(outer, member));
}

/**
 * The one zone an order is taxed in (behaviour 8.9): of the zones containing the address state zones before country zones,
 * then the one with the fewest members, then the oldest (lowest id); where none does, or without an address, the default
 * tax zone; else null.
 */
export function findOrderZone<Zone extends ZoneFacts>(zones: readonly Zone[], place: Place | null): Zone | null {
  const containing = place ? zones.filter((zone) => zoneContainsAddress(zone, place)) : [];
  const [closest] = containing.sort(
    (one, other) =>
      Number(isStateZone(other)) - Number(isStateZone(one)) ||
      one.members.length - other.members.length ||
      one.id - other.id,
  );
  return closest ?? findDefaultTaxZone(zones);
}

/** The zone whose included taxes the prices are quoted with; null when the shop has none. */
export function findDefaultTaxZone<Zone extends ZoneFacts>(zones: readonly Zone[]): Zone | null {
  return zones.find((zone) => zone.default_tax) ?? null;
}

function isStateZone(zone: ZoneFacts): boolean {
  return zone.members.some((member) => member.state_id !== null);
}

function hasMember(zone: ZoneFacts, inner: ZoneMember): boolean {
  return zone.members.some((outer) => {
    if (outer.state_id !== null) return outer.state_id === inner.state_id;
    return outer.country_id === (inner.state_id === null ? inner.country_id : inner.state_country_id);
  });
}
