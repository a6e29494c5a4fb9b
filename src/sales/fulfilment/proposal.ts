import { sumOf, multiply, toAmount, toDecimal, ZERO } from '../../platform/money';
import { type MoneyDisplay } from '../../platform/money-format';
import { sumQuantities } from '../../platform/quantities';
import type { OrderGraph } from '../order/order-graph';
import type { FulfilmentFacts } from './fulfilment-facts';
import type { NewShipment } from './new-shipment';
import { estimateRates, displayCost, type ProposedRate } from './shipping-estimator';
import type { ShippingMethodGraph } from './shipping-method-graph';
import { packOrder, type Package, type Shortage } from './stock-coordinator';
import { findApplicableTaxRates } from '../pricing/order-taxes';
import { calculateTaxes, type ApplicableRate } from '../pricing/tax-rules';
import type { OrderedVariant } from './ordered-variants.repository';

/** Maximum number of units per order. Each unit is a row, so larger orders would block the store for too long. */
export const MAX_UNITS = 20_000;

/** The shipments that leaving `address` would store, or that there is a shortage. */
export interface Proposal {
  has_shortage: boolean;
  /** The units that no location can supply. Empty if the order has too many units. */
  shortages: readonly Shortage[];
  packages: readonly NewShipment[];
}

/** Packs an order and calculates the shipping rates of each package. */
export function proposeShipments(
  facts: FulfilmentFacts,
  order: OrderGraph,
  variants: ReadonlyMap<number, OrderedVariant>,
): Proposal {
  const items = order.line_items.flatMap((line) => {
    const variant = variants.get(line.variant_id);
    return variant === undefined ? [] : [{ ...variant, line_item_id: line.id, quantity: line.quantity }];
  });
  if (sumQuantities(items) > MAX_UNITS) return { has_shortage: true, shortages: [], packages: [] };
  const { locations, stock } = facts.stockByLocation([...variants.keys()]);
  const plan = packOrder(items, stock, locations);
  const { shortages } = plan;
  if (shortages.length > 0) return { has_shortage: true, shortages, packages: [] };
  const list = buildPriceList(facts, order, variants);
  const packages = plan.packages.map((box) => ({
    stock_location_id: box.stock_location_id,
    stock_location_name: locations.find(({ id }) => id === box.stock_location_id)?.name ?? '',
    ...buildPackageRates(order, box, list),
  }));
  return { has_shortage: false, shortages, packages };
}

/** The values that shipping rates are calculated from. */
export interface PriceList {
  variants: ReadonlyMap<number, OrderedVariant>;
  methods: readonly ShippingMethodGraph[];
  taxes: readonly ApplicableRate[];
}

/** Returns the shipping methods of the shop and the tax rates of an order. */
export function buildPriceList(
  facts: FulfilmentFacts,
  order: OrderGraph,
  variants: ReadonlyMap<number, OrderedVariant>,
): PriceList {
  const methods = [...facts.shippingMethods(order.revisions).values()];
  const isTaxed = methods.some((method) => method.tax_category_id !== null);
  return { variants, methods, taxes: isTaxed ? findApplicableTaxRates(facts, order) : [] };
}

function buildPackageRates(
  order: OrderGraph,
  box: Package,
  list: PriceList,
): Pick<NewShipment, 'cost' | 'units' | 'rates'> {
  const rates = buildRates(
    order,
    {
      shipping_category_ids: [box.shipping_category_id],
      contents: box.contents,
    },
    { ...list, chosen_method_id: null },
  );
  return {
    cost: rates.find((rate) => rate.selected)?.cost ?? toDecimal(ZERO),
    units: box.contents.map((content) => ({ ...content, state: box.state })),
    rates,
  };
}

/**
 * Builds the shipping rates of one package, in their stored form. `chosen_method_id` stays selected if it is offered.
 * Returns no rates if the order has no ship address.
 */
export function buildRates(
  order: OrderGraph,
  box: {
    shipping_category_ids: readonly number[];
    contents: readonly { variant_id: number; quantity: number }[];
  },
  list: PriceList & { chosen_method_id: number | null },
): NewShipment['rates'] {
  const { ship_address, currency } = order;
  if (ship_address === null) return [];
  const soldPrices = new Map(order.line_items.map((line) => [line.variant_id, line.price]));
  const offers = estimateRates(
    {
      shipping_category_ids: box.shipping_category_ids,
      quantity: sumQuantities(box.contents),
      value: sumOf(box.contents, ({ variant_id, quantity }) =>
        multiply(
          toAmount(soldPrices.get(variant_id) ?? list.variants.get(variant_id)?.price ?? '0'),
          quantity,
        ),
      ),
    },
    list.methods.map((method) => ({
      ...method,
      shipping_category_ids: method.shipping_categories.map((category) => category.id),
    })),
    {
      destination: { country_id: ship_address.country_id, state_id: ship_address.state_id },
      currency,
      chosen_method_id: list.chosen_method_id,
    },
  );
  return offers.map((offer) => buildStoredRate(offer, list, order));
}

function buildStoredRate(
  offer: ProposedRate,
  list: PriceList,
  shown: MoneyDisplay,
): NewShipment['rates'][number] {
  const category = list.methods.find(({ id }) => id === offer.shipping_method_id)?.tax_category_id ?? null;
  const taxes = calculateTaxes(
    { amount: offer.cost, tax_category_id: category },
    list.taxes,
    shown.currency,
  ).filter(({ amount }) => amount !== ZERO);
  return {
    shipping_method_id: offer.shipping_method_id,
    shipping_method_name: offer.name,
    shipping_method_code: offer.shipping_method_code,
    cost: toDecimal(offer.cost),
    display_cost: displayCost(offer.cost, taxes, shown),
    selected: offer.selected,
  };
}
