import { findDefaultTaxZone, findOrderZone, type Place } from '../../geography/zones/zone-matching';
import type { Tx } from '../../platform/database/transaction';
import { sum, multiply, toAmount, type Amount } from '../../platform/money';
import { isAdjustable, type CalculatedAdjustment } from './calculated-adjustments';
import type { OrderGraph } from '../order/order-graph';
import { TAX_SOURCE } from '../order/order-totals';
import { selectApplicableRates, calculateTaxes, type ApplicableRate } from './tax-rules';
import {
  findShippingTaxCategories,
  findTaxCategories,
  loadTaxSettings,
  type TaxSettings,
} from './taxes.repository';

/**
 * The taxes of every line and shipment that is still open to change: all of an incomplete order's; of a completed one's
 * only those added since, as what was sold keeps the taxes it was sold with (behaviour reference 7.5).
 * `promoted(id)` gives the promotions already found for a line or shipment. One statement, three when taxes exist.
 */
export async function buildTaxAdjustments(
  tx: Tx,
  order: OrderGraph,
  promoted: (item: { line_item_id: number } | { shipment_id: number }) => Amount,
): Promise<CalculatedAdjustment[]> {
  const settings = await loadTaxSettings(tx);
  if (settings.rates.length === 0) return [];
  const rates = selectRates(order, settings);
  return [
    ...(await buildLineTaxes(tx, order, { rates, settings, promoted })),
    ...(await buildShipmentTaxes(tx, order, { rates, promoted })),
  ];
}

/** The rates that hold where this order goes. One statement. */
export async function loadApplicableTaxRates(tx: Tx, order: OrderGraph): Promise<ApplicableRate[]> {
  const settings = await loadTaxSettings(tx);
  return selectRates(order, settings);
}

function selectRates(order: OrderGraph, settings: TaxSettings): ApplicableRate[] {
  const zone = findOrderZone(settings.zones, findTaxPlace(order, settings));
  return selectApplicableRates(settings.rates, zone, findDefaultTaxZone(settings.zones));
}

function findTaxPlace(order: OrderGraph, settings: TaxSettings): Place | null {
  const address = settings.uses_ship_address ? order.ship_address : order.bill_address;
  return address === null ? null : { country_id: address.country_id, state_id: address.state_id };
}

async function buildLineTaxes(
  tx: Tx,
  order: OrderGraph,
  how: {
    rates: readonly ApplicableRate[];
    settings: TaxSettings;
    promoted: (item: { line_item_id: number }) => Amount;
  },
): Promise<CalculatedAdjustment[]> {
  const lines = order.line_items.filter((line) => isAdjustable(order, line));
  if (lines.length === 0) return [];
  const categories = await findTaxCategories(
    tx,
    lines.map((line) => line.variant_id),
  );
  return lines.flatMap((line) => {
    const amount = sum(multiply(toAmount(line.price), line.quantity), how.promoted({ line_item_id: line.id }));
    const category = categories.get(line.variant_id) ?? how.settings.default_tax_category_id;
    return calculateTaxes({ amount, tax_category_id: category }, how.rates, order.currency).map((tax) => ({
      ...tax,
      source_type: TAX_SOURCE,
      eligible: true,
      line_item_id: line.id,
      shipment_id: null,
    }));
  });
}

async function buildShipmentTaxes(
  tx: Tx,
  order: OrderGraph,
  how: { rates: readonly ApplicableRate[]; promoted: (item: { shipment_id: number }) => Amount },
): Promise<CalculatedAdjustment[]> {
  const shipments = order.shipments.filter((shipment) => isAdjustable(order, shipment));
  const methodOf = (shipment: OrderGraph['shipments'][number]): number =>
    shipment.rates.find((rate) => rate.selected)?.shipping_method_id ?? 0;
  if (shipments.length === 0) return [];
  const categories = await findShippingTaxCategories(tx, shipments.map(methodOf));
  return shipments.flatMap((shipment) => {
    const amount = sum(toAmount(shipment.cost), how.promoted({ shipment_id: shipment.id }));
    const category = categories.get(methodOf(shipment)) ?? null;
    return calculateTaxes({ amount, tax_category_id: category }, how.rates, order.currency).map((tax) => ({
      ...tax,
      source_type: TAX_SOURCE,
      eligible: true,
      line_item_id: null,
      shipment_id: shipment.id,
    }));
  });
}
