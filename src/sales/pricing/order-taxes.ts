import { findDefaultTaxZone, findOrderZone, type Place } from '../../geography/zones/zone-matching';
import { sum, multiply, toAmount, type Amount } from '../../platform/money';
import { isAdjustable, type CalculatedAdjustment } from './calculated-adjustments';
import type { OrderGraph } from '../order/order-graph';
import { findKnownVariants } from '../order/order-variants';
import { TAX_SOURCE } from '../order/order-totals';
import { selectApplicableRates, calculateTaxes, type ApplicableRate, type TaxAdjustment } from './tax-rules';
import type { PricingFacts } from './pricing-facts';
import type { TaxSettings } from './taxes.repository';

/**
 * Builds the tax adjustments of every adjustable line item and shipment: of all parts of an incomplete order, and of
 * those added to a completed one since its completion. `sumPromotions` returns the sum of the eligible promotions of a
 * line item or shipment.
 */
export function buildTaxAdjustments(
  facts: PricingFacts,
  order: OrderGraph,
  sumPromotions: (item: { line_item_id: number } | { shipment_id: number }) => Amount,
): CalculatedAdjustment[] {
  const settings = facts.taxSettings(order.revisions);
  if (settings.rates.length === 0) return [];
  const rates = selectRates(order, settings);
  return [
    ...buildLineTaxes(facts, order, { rates, settings, sumPromotions }),
    ...buildShipmentTaxes(order, { rates, settings, sumPromotions }),
  ];
}

/** Returns the tax rates that apply to an order by its address. */
export function findApplicableTaxRates(facts: PricingFacts, order: OrderGraph): ApplicableRate[] {
  return selectRates(order, facts.taxSettings(order.revisions));
}

function selectRates(order: OrderGraph, settings: TaxSettings): ApplicableRate[] {
  const zone = findOrderZone(settings.zones, findTaxPlace(order, settings));
  return selectApplicableRates(settings.rates, zone, findDefaultTaxZone(settings.zones));
}

function findTaxPlace(order: OrderGraph, settings: TaxSettings): Place | null {
  const address = settings.uses_ship_address ? order.ship_address : order.bill_address;
  return address === null ? null : { country_id: address.country_id, state_id: address.state_id };
}

/** What all taxes have in common. */
const OF_TAXES = { source_type: TAX_SOURCE, eligible: true, action_type: null, percent: null } as const;

function buildLineTaxes(
  facts: PricingFacts,
  order: OrderGraph,
  terms: {
    rates: readonly ApplicableRate[];
    settings: TaxSettings;
    sumPromotions: (item: { line_item_id: number }) => Amount;
  },
): CalculatedAdjustment[] {
  const lines = order.line_items.filter((line) => isAdjustable(order, line));
  if (lines.length === 0) return [];
  const variantIds = lines.map((line) => line.variant_id);
  const known = findKnownVariants(order.variants, variantIds);
  const categories =
    known === null
      ? facts.taxCategories(variantIds)
      : new Map([...known].map(([id, { tax_category_id }]) => [id, tax_category_id]));
  return lines.flatMap((line) => {
    const amount = sum(
      multiply(toAmount(line.price), line.quantity),
      terms.sumPromotions({ line_item_id: line.id }),
    );
    const category = categories.get(line.variant_id) ?? terms.settings.default_tax_category_id;
    return calculateTaxes({ amount, tax_category_id: category }, terms.rates, order.currency).map((tax) => ({
      ...tax,
      ...OF_TAXES,
      line_item_id: line.id,
      shipment_id: null,
    }));
  });
}

function buildShipmentTaxes(
  order: OrderGraph,
  terms: {
    rates: readonly ApplicableRate[];
    settings: TaxSettings;
    sumPromotions: (item: { shipment_id: number }) => Amount;
  },
): CalculatedAdjustment[] {
  const shipments = order.shipments.filter((shipment) => isAdjustable(order, shipment));
  const selectMethodId = (shipment: OrderGraph['shipments'][number]): number =>
    shipment.rates.find((rate) => rate.selected)?.shipping_method_id ?? 0;
  const { method_categories } = terms.settings;
  return shipments.flatMap((shipment) => {
    const amount = sum(toAmount(shipment.cost), terms.sumPromotions({ shipment_id: shipment.id }));
    const category = method_categories[selectMethodId(shipment)] ?? null;
    return calculateTaxes({ amount, tax_category_id: category }, terms.rates, order.currency).map((tax) => ({
      ...tax,
      ...OF_TAXES,
      line_item_id: null,
      shipment_id: shipment.id,
    }));
  });
}

/** Builds the taxes of an amount of freight by the address of an order and the rates of today. */
export function buildFreightTaxes(
  facts: PricingFacts,
  order: OrderGraph,
  freight: { amount: Amount; shipping_method_id: number | null },
): TaxAdjustment[] {
  const settings = facts.taxSettings(order.revisions);
  const tax_category_id = settings.method_categories[freight.shipping_method_id ?? 0] ?? null;
  const rates = selectRates(order, settings);
  return calculateTaxes({ amount: freight.amount, tax_category_id }, rates, order.currency);
}
