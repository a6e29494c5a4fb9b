import { loadAvailability, loadStockByLocation } from '../../inventory/availability.repository';
import { lockStockAt } from '../../inventory/stock-ledger';
import type { Facts } from '../../platform/database/facts';
import { PRICING_FACTS } from '../pricing/pricing-facts';
import { findUnitsOfOrder } from './inventory-units.repository';
import { findOrderedVariants } from './ordered-variants.repository';
import { findVariantTitle } from './sellable-variants.repository';
import { getShippingMethods } from './shipping-method-graph';

/** What shipments and their stock depend on besides the order (`withFacts`). Stock is locked after promotions. */
export const FULFILMENT_FACTS = {
  ...PRICING_FACTS,
  availability: loadAvailability,
  lockedStock: lockStockAt,
  orderedVariants: findOrderedVariants,
  shippingMethods: getShippingMethods,
  stockByLocation: loadStockByLocation,
  unitsOfOrder: findUnitsOfOrder,
  variantTitle: findVariantTitle,
};

export type FulfilmentFacts = Facts<typeof FULFILMENT_FACTS>;
