const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The files of sales that decide: pure and synchronous functions of an order and of facts (docs/decisions/0031-save-order.md).
 * Lint holds them to it: they import nothing that reads a database, and wait for nothing.
 */
const FILES = [
  'checkout/checkout-facts',
  'fulfilment/calculators',
  'fulfilment/proposal',
  'fulfilment/refresh-rates',
  'fulfilment/shipping-estimator',
  'fulfilment/stock-coordinator',
  'fulfilment/variants-of-order',
  'order/order-totals',
  'order-updater/recalculate-order',
  'pricing/calculated-adjustments',
  'pricing/kept-adjustments',
  'pricing/new-adjustment',
  'pricing/order-promotions',
  'pricing/order-taxes',
  'pricing/promotion-amounts',
  'pricing/promotion-rules',
  'pricing/retax',
  'pricing/sync-adjustments',
  'pricing/tax-rules',
].map((name) => `src/sales/${name}.ts`);

for (const file of FILES) {
  if (!existsSync(join(__dirname, file))) throw new Error(`${file} has moved: change decision-files.cjs`);
}

module.exports = FILES;
