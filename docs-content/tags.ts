/** The headings of the reference page, in the order a reader meets a shop: goods, stock, selling, settings. */
export const TAGS: readonly { name: string; description: string }[] = [
  {
    name: 'Products',
    description:
      'What the shop shows. Prices, stock and images belong to variants; every product has a master.',
  },
  {
    name: 'Variants',
    description: 'What is sold: one size, one color. The master stands for the product itself.',
  },
  {
    name: 'Images',
    description:
      'Pictures of a product or of one variant, each in four sizes: mini 48, small 100, product 240 and large 600 pixels.',
  },
  { name: 'Option types', description: 'What variants differ by: size, color.' },
  { name: 'Option values', description: 'The choices of an option type: small, red.' },
  { name: 'Properties', description: 'What products are described by: material, brand.' },
  { name: 'Product properties', description: 'What one product says to a property: cotton.' },
  {
    name: 'Taxonomies',
    description: 'Trees to browse by, like Categories and Brands. Each has one root taxon.',
  },
  {
    name: 'Taxons',
    description: 'The branches of a taxonomy, the products under them, and their order there.',
  },
  { name: 'Classifications', description: 'The place of a product among the others of a taxon.' },
  { name: 'Stock locations', description: 'Where goods lie and from where they are sent.' },
  { name: 'Stock items', description: 'How many of a variant lie at a location.' },
  {
    name: 'Stock movements',
    description: 'Every change of a count: what arrived and what left. Their sum is the count.',
  },
  {
    name: 'Orders',
    description:
      'From the empty cart on. The `token` a new order is answered with opens it to guests, as `X-Order-Token`.',
  },
  { name: 'Line items', description: 'What is in an order: a variant, how many of it, and at what price.' },
  {
    name: 'Checkout',
    description:
      'Takes an order from `cart` through `address`, `delivery`, `payment` and `confirm` to `complete`. Each step tells what is missing.',
  },
  {
    name: 'Payments',
    description:
      'How an order is paid. Entered by the customer; authorized, captured, voided and credited by admins. The built-in gateway `Bogus` is for tests: it accepts card number 4111111111111111.',
  },
  { name: 'Shipments', description: 'What leaves a stock location together, and how it is sent.' },
  {
    name: 'Inventory units',
    description: 'Each single thing sold, from the shelf to the customer and back.',
  },
  {
    name: 'Return authorizations',
    description: 'Leave to send goods back; receiving them puts them into stock and credits the order.',
  },
  { name: 'Users', description: 'Customers and admins, their addresses and their API tokens.' },
  { name: 'Sessions', description: 'Signing in and out.' },
  { name: 'Countries and states', description: 'ISO 3166-1 and the parts of countries that addresses need.' },
  { name: 'Zones', description: 'Groups of countries or states, which decide on taxes and ways to ship.' },
  {
    name: 'Promotions',
    description:
      'Discounts: the rules an order must fit, what it gets then, and the coupon code that asks for it.',
  },
  { name: 'Tax categories', description: 'Kinds of goods that are taxed alike.' },
  {
    name: 'Tax rates',
    description: 'What a zone asks for a tax category, within the price or on top of it.',
  },
  { name: 'Shipping categories', description: 'Kinds of goods that are sent alike.' },
  {
    name: 'Shipping methods',
    description: 'Ways to send goods of some categories into some zones, and how their price is calculated.',
  },
  { name: 'Payment methods', description: 'Ways to pay, and the gateways behind them.' },
  { name: 'Return authorization reasons', description: 'Why goods come back, to choose from.' },
  { name: 'Stores', description: "The shop's own settings: its name, currency, and rules of payment." },
  { name: 'Config', description: 'What a storefront needs to know of the settings.' },
  { name: 'Reference', description: 'This document.' },
];
