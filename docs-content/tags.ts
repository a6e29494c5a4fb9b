/** The sections of the reference page, in order: catalog, inventory, sales, customers, settings, integration. */
export const TAGS: readonly { name: string; description: string }[] = [
  {
    name: 'Products',
    description:
      'The products of the shop. Prices, stock and images belong to variants; every product has a master variant.',
  },
  {
    name: 'Variants',
    description:
      'What customers buy: a product in one size and color. The master variant represents the product itself.',
  },
  {
    name: 'Images',
    description:
      'Images of a product or a variant, in five sizes: mini 48, small 100, product 240, large 600 and xlarge 1200 pixels; as AVIF or WebP for browsers that accept them.',
  },
  { name: 'Option types', description: 'The options that distinguish variants, such as size or color.' },
  { name: 'Option values', description: 'The values of an option type, such as small or red.' },
  { name: 'Properties', description: 'Attributes that describe products, such as material or brand.' },
  { name: 'Product properties', description: 'The value of a property for one product, such as cotton.' },
  {
    name: 'Product relations',
    description:
      'Products to show beside a product: related ones, better ones, accessories and replacements.',
  },
  {
    name: 'Taxonomies',
    description: 'Trees of taxons, such as Categories and Brands. Each has one root taxon.',
  },
  {
    name: 'Taxons',
    description: 'The nodes of a taxonomy, and the products classified under them in their order.',
  },
  { name: 'Classifications', description: 'The position of a product within a taxon.' },
  { name: 'Stock locations', description: 'Places that store and ship stock.' },
  { name: 'Stock items', description: 'The stock of one variant at one stock location.' },
  {
    name: 'Stock movements',
    description: 'Every change of a count on hand. The count is the sum of its movements.',
  },
  {
    name: 'Orders',
    description:
      'Carts and completed orders. A new order contains a `token`; guests access the order by sending it as `X-Order-Token`.',
  },
  { name: 'Line items', description: 'The items of an order: a variant, its quantity and its price.' },
  {
    name: 'Checkout',
    description:
      'Advances an order from `cart` through `address`, `delivery`, `payment` and `confirm` to `complete`. Errors name what is missing.',
  },
  {
    name: 'Payments',
    description:
      'The payments of an order. Customers create them; admins authorize, capture, void and credit them. The built-in gateway `Bogus` is for tests: it accepts card number 4111111111111111.',
  },
  {
    name: 'Documents',
    description: 'Invoices and credit notes of orders, as PDF.',
  },
  {
    name: 'Shipments',
    description: 'Items that leave one stock location together, and how they are shipped.',
  },
  {
    name: 'Inventory units',
    description: 'The individual units of an order, from stock to delivery and return.',
  },
  {
    name: 'Adjustments',
    description:
      'Taxes, discounts, credits of returns and manual adjustments of an order, its line items and its shipments. Admins change manual ones.',
  },
  {
    name: 'Return authorizations',
    description: 'Permission to return items. Receiving them restocks the items and credits the order.',
  },
  { name: 'Users', description: 'Customers and members of staff, their addresses, roles and API tokens.' },
  { name: 'Sessions', description: 'Sign-in and sign-out.' },
  {
    name: 'Countries and states',
    description: 'ISO 3166-1 countries, and their states or provinces where addresses need them.',
  },
  {
    name: 'Zones',
    description: 'Groups of countries or states, which determine tax rates and shipping methods.',
  },
  {
    name: 'Promotions',
    description: 'Discounts: rules that an order must meet, actions that apply, and an optional coupon code.',
  },
  { name: 'Tax categories', description: 'Groups of products that are taxed at the same rates.' },
  {
    name: 'Tax rates',
    description: 'The tax for one tax category in one zone, included in the price or added to it.',
  },
  { name: 'Shipping categories', description: 'Groups of products that can be shipped by the same methods.' },
  {
    name: 'Shipping methods',
    description: 'Ways to ship certain shipping categories to certain zones, and how the cost is calculated.',
  },
  { name: 'Payment methods', description: 'Ways to pay, and their gateways.' },
  { name: 'Return authorization reasons', description: 'Reasons to choose from when authorizing a return.' },
  { name: 'Stores', description: "The shop's settings, such as its name, currency and payment rules." },
  { name: 'Config', description: 'The settings that a storefront needs.' },
  {
    name: 'Reports',
    description: 'Sales, taxes, refunds and stock value of the store, as JSON and CSV. For admins.',
  },
  {
    name: 'Bulk',
    description:
      'Counts and prices of up to 1,000 variants, or trackings of up to 1,000 shipments, in one request.',
  },
  {
    name: 'Imports',
    description:
      'CSV files of products, stock, prices, customers and trackings of shipments, imported by a job that reports progress and the errors of rows.',
  },
  {
    name: 'Exports',
    description:
      'CSV files of products, stock, prices, customers, orders, line items, movements and payments. The first four can be imported again.',
  },
  {
    name: 'Events',
    description:
      'What has happened to orders, payments, shipments, returns, products, stock and customers, in order.',
  },
  { name: 'Webhooks', description: 'Addresses to which events are sent, signed, repeated and in order.' },
  {
    name: 'Mails',
    description: 'What the store writes to customers, and the templates of it.',
  },
  { name: 'Audit log', description: 'Who changed what: every write by staff, jobs and the command line.' },
  { name: 'Reference', description: 'This document.' },
];
