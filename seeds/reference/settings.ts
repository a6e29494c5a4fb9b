/** The settings of a new store as plain data; index.ts writes them. */

/** Member states of the European Union, ISO 3166-1 alpha-2 (Greece is GR; EL is used only in VAT numbers). */
const EUROPEAN_UNION = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
];

export const ZONES = [
  { name: 'EU', description: 'Countries that make up the EU VAT zone', countries: EUROPEAN_UNION },
  { name: 'North America', description: 'USA + Canada', countries: ['US', 'CA'] },
];

export const TAX_CATEGORY = { name: 'Default', is_default: true };

export const SHIPPING_CATEGORY = { name: 'Default' };

/** Backorderable by default, so that products without stock can be ordered in a new store. */
export const STOCK_LOCATION = {
  name: 'default',
  is_default: true,
  active: true,
  backorderable_default: true,
  propagate_all_variants: true,
};

/** Flat rates in US dollars, available in the zone North America for the shipping category Default. */
export const SHIPPING_METHODS = [
  { name: 'UPS Ground (USD)', amount: '5.00' },
  { name: 'UPS Two Day (USD)', amount: '10.00' },
  { name: 'UPS One Day (USD)', amount: '15.00' },
];
export const SHIPPING_ZONE = 'North America';

export const PAYMENT_METHODS = [
  { name: 'Credit Card', description: 'Bogus payment gateway.', gateway: 'bogus', method_type: 'gateway' },
  { name: 'Check', description: 'Pay by check.', gateway: 'check', method_type: 'check' },
];

export const RETURN_REASONS = [
  'Better price available',
  'Missed estimated delivery date',
  'Missing parts or accessories',
  'Damaged/Defective',
  'Different from what was ordered',
  'Different from description',
  'No longer needed/wanted',
  'Accidental order',
  'Unauthorized purchase',
];

/** The names under example.com are reserved (RFC 2606), so no e-mail reaches a real recipient. */
export const STORE = {
  name: 'Example Store',
  url: 'store.example.com',
  code: 'store',
  mail_from_address: 'store@example.com',
  currency: 'USD',
  is_default: true,
};
export const HOME_COUNTRY = 'US';
