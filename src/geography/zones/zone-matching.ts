/** A member of a zone: a country (`country_id` is set) or a state (`state_id` is set), never both. */
export interface ZoneMember {
  country_id: number | null;
  state_id: number | null;
  /** The country of a state; null for a country. */
  state_country_id: number | null;
}

export interface ZoneFacts {
  id: number;
  default_tax: boolean;
  members: readonly ZoneMember[];
}

/** The part of an address that determines its zones. */
export interface Place {
  country_id: number;
  state_id: number | null;
}

/** Returns whether the zone contains an address, by its country or its state. */
export function zoneContainsAddress(zone: ZoneFacts, place: Place): boolean {
  return zone.members.some((member) =>
    member.state_id === null ? member.country_id === place.country_id : member.state_id === place.state_id,
  );
}

/**
 * Returns whether `outer` contains all members of `inner`. A zone without members contains nothing and is not
 * contained.
 */
export function zoneContainsZone(outer: ZoneFacts, inner: ZoneFacts): boolean {
  return inner.members.length > 0 && inner.members.every((member) => hasMember(outer, member));
}

/**
 * Returns the zone in which an order is taxed. Of the zones that contain the address, state zones precede country
 * zones, then the zone with the fewest members applies, then the lowest id. If there is none, or no address, the
 * default tax zone applies; null if there is none.
 */
export function findOrderZone<Zone extends ZoneFacts>(
  zones: readonly Zone[],
  place: Place | null,
): Zone | null {
  const containing = place ? zones.filter((zone) => zoneContainsAddress(zone, place)) : [];
  const [closest] = containing.sort(
    (one, other) =>
      Number(isStateZone(other)) - Number(isStateZone(one)) ||
      one.members.length - other.members.length ||
      one.id - other.id,
  );
  return closest ?? findDefaultTaxZone(zones);
}

/** Returns the zone whose taxes are included in prices; null if there is none. */
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
