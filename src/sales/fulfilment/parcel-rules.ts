import { InvalidResource } from '../../platform/errors';
import type { SoldLine } from './sold-units';

/** A shipment with the units it holds, at most one entry for each line item. */
export interface Parcel<Shipment> {
  shipment: Shipment;
  contents: readonly SoldLine[];
}

/** The shipments of an import, and the units that none of them holds. */
export interface ParcelPlan<Shipment> {
  parcels: readonly Parcel<Shipment>[];
  rest: readonly SoldLine[];
}

/** Units that a shipment names, by variant or SKU. */
export interface NamedUnits {
  variant_id?: number | null | undefined;
  sku?: string | null | undefined;
  /** Defaults to 1. */
  quantity?: number | null | undefined;
}

/**
 * Distributes the units of line items to shipments. A shipment holds the units that it names; the first that names none
 * holds all that no shipment names.
 * @throws InvalidResource `shipments.inventory_units` if a shipment names units that the order does not have, or holds
 *   none
 */
export function planParcels<Shipment>(
  lines: readonly (SoldLine & { sku: string })[],
  shipments: readonly { shipment: Shipment; units: readonly NamedUnits[] }[],
): ParcelPlan<Shipment> {
  const left = new Map(lines.map((line) => [line.line_item_id, line.quantity]));
  const named = shipments.map(({ units }) => takeUnits(lines, units, left));
  const listRest = (): SoldLine[] =>
    lines.flatMap(({ line_item_id, variant_id }) => {
      const quantity = left.get(line_item_id) ?? 0;
      return quantity > 0 ? [{ line_item_id, variant_id, quantity }] : [];
    });
  const taker = shipments.findIndex(({ units }) => units.length === 0);
  const parcels = shipments.map(({ shipment }, index) => {
    const contents = index === taker ? listRest() : (named[index] ?? []);
    if (contents.length === 0) throw new InvalidResource({ 'shipments.inventory_units': ["can't be blank"] });
    return { shipment, contents };
  });
  return { parcels, rest: taker === -1 ? listRest() : [] };
}

/** Takes named units from what is left of the line items. */
function takeUnits(
  lines: readonly (SoldLine & { sku: string })[],
  units: readonly NamedUnits[],
  left: Map<number, number>,
): SoldLine[] {
  const taken = new Map<number, SoldLine>();
  for (const { variant_id, sku, quantity } of units) {
    const line = lines.find((one) => (variant_id == null ? one.sku === sku : one.variant_id === variant_id));
    const wanted = quantity ?? 1;
    const present = line === undefined ? 0 : (left.get(line.line_item_id) ?? 0);
    if (line === undefined || wanted < 1 || wanted > present) {
      throw new InvalidResource({ 'shipments.inventory_units': ['are not in the order'] });
    }
    left.set(line.line_item_id, present - wanted);
    const before = taken.get(line.line_item_id)?.quantity ?? 0;
    const { line_item_id } = line;
    taken.set(line_item_id, { line_item_id, variant_id: line.variant_id, quantity: before + wanted });
  }
  return [...taken.values()];
}
