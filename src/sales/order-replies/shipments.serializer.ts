import { isBlank } from '../../platform/blank';
import { formatDecimal } from '../../platform/money';
import type { ShipmentGraph, ShippingRateRow, UnitCount } from '../order/order-graph';
import type {
  ShipmentFieldsJson,
  ShippingMethodJson,
  ShippingRateJson,
  UnitStatesJson,
} from './shipments.schema';
import type { ShippingMethodGraph, ShippingZone } from '../fulfilment/shipping-method-graph';

export function serializeShippingRate(rate: ShippingRateRow): ShippingRateJson {
  return {
    id: rate.id,
    name: rate.shipping_method_name,
    cost: formatDecimal(rate.cost),
    selected: rate.selected,
    shipping_method_id: rate.shipping_method_id,
    shipping_method_code: rate.shipping_method_code,
    display_cost: rate.display_cost,
  };
}

/** Serializes the fields that all forms of a shipment have, except its adjustments. */
export function serializeShipmentFields(
  order: { number: string },
  shipment: ShipmentGraph,
  methods: ReadonlyMap<number, ShippingMethodGraph>,
  { withMembers }: { withMembers: boolean },
): Omit<ShipmentFieldsJson, 'adjustments'> {
  return {
    id: shipment.id,
    tracking: shipment.tracking,
    tracking_url: findTrackingUrl(shipment, methods),
    number: shipment.number,
    cost: formatDecimal(shipment.cost),
    shipped_at: shipment.shipped_at?.toISOString() ?? null,
    state: shipment.state,
    order_id: order.number,
    stock_location_name: shipment.stock_location_name,
    updated_at: shipment.updated_at.toISOString(),
    shipping_methods: shipment.rates.flatMap((rate) => {
      const method = methods.get(rate.shipping_method_id);
      return method === undefined ? [] : [serializeShippingMethod(method, withMembers)];
    }),
  };
}

/** Builds the URL that shows where a parcel is, as `findTrackingUrl`; `template` is that of the method. */
export function buildTrackingUrl(parcel: {
  tracking: string | null;
  tracking_url: string | null;
  template: string | null;
}): string | null {
  const { tracking, tracking_url, template } = parcel;
  if (!isBlank(tracking_url)) return tracking_url;
  if (isBlank(tracking) || isBlank(template)) return null;
  return template.replaceAll(':tracking', () => encodeURIComponent(tracking));
}

/** Returns the URL of the shipment, or that of the selected method with the tracking number; null without either. */
function findTrackingUrl(
  { tracking, tracking_url, rates }: ShipmentGraph,
  methods: ReadonlyMap<number, ShippingMethodGraph>,
): string | null {
  const selected = rates.find((rate) => rate.selected);
  const template = methods.get(selected?.shipping_method_id ?? 0)?.tracking_url ?? null;
  return buildTrackingUrl({ tracking, tracking_url, template });
}

/** Serializes a shipping method; `withMembers` adds the members of its zones, for the shipment endpoints. */
export function serializeShippingMethod(
  method: ShippingMethodGraph,
  withMembers: boolean,
): ShippingMethodJson {
  return {
    id: method.id,
    code: method.code,
    name: method.name,
    zones: method.zones.map((zone) => ({
      id: zone.id,
      name: zone.name,
      description: zone.description,
      ...(withMembers && { zone_members: zone.members.map(serializeMember) }),
    })),
    shipping_categories: method.shipping_categories,
  };
}

function serializeMember(member: ShippingZone['members'][number]) {
  return member.state_id === null
    ? { id: member.id, zoneable_type: 'Store::Country' as const, zoneable_id: member.country_id ?? 0 }
    : { id: member.id, zoneable_type: 'Store::State' as const, zoneable_id: member.state_id };
}

/** One entry of a manifest: the units of one line item in one shipment. */
export interface ManifestEntry {
  variant_id: number;
  line_item_id: number | null;
  quantity: number;
  states: UnitStatesJson;
}

/** Builds the manifest of a shipment, with one entry for each variant and line item. */
export function buildManifest(units: readonly UnitCount[]): ManifestEntry[] {
  const entries = new Map<string, ManifestEntry>();
  for (const { variant_id, line_item_id, state, quantity } of units) {
    const key = `${variant_id}/${line_item_id ?? ''}`;
    const entry = entries.get(key) ?? { variant_id, line_item_id, quantity: 0, states: {} };
    entry.quantity += quantity;
    entry.states[state] = (entry.states[state] ?? 0) + quantity;
    entries.set(key, entry);
  }
  return [...entries.values()];
}
