import * as accounts from './examples/accounts';
import * as catalog from './examples/catalog';
import * as inventory from './examples/inventory';
import * as places from './examples/places';
import * as sales from './examples/sales';

/** By the id of the schema they are examples of; one story, of a tote bag that Ann buys. Tests hold them to the schemas. */
export const replyExamples: Readonly<Record<string, unknown>> = {
  Product: catalog.product,
  Variant: catalog.variant,
  VariantWithStock: catalog.variantWithStock,
  Image: catalog.image,
  OptionType: catalog.optionType,
  OptionValue: catalog.optionValue,
  Property: catalog.property,
  ProductProperty: catalog.productProperty,
  Taxonomy: catalog.taxonomy,
  Taxon: catalog.taxon,
  TaxonTree: catalog.taxonTree,
  JstreeNode: catalog.jstreeNode,
  StockLocation: inventory.stockLocation,
  StockItem: inventory.stockItem,
  StockMovement: inventory.stockMovement,
  Order: sales.order,
  OrderSummary: sales.orderSummary,
  OrderShipment: sales.orderShipment,
  OrderPayment: sales.orderPayment,
  LineItem: sales.lineItem,
  Payment: sales.payment,
  NewPayment: sales.newPayment,
  CreditCard: sales.creditCard,
  Shipment: sales.shipment,
  OwnShipment: sales.ownShipment,
  ShippingRate: sales.shippingRate,
  InventoryUnit: sales.inventoryUnit,
  InventoryUnitRecord: sales.inventoryUnitRecord,
  ReturnAuthorization: sales.returnAuthorization,
  User: accounts.user,
  NewUser: accounts.newUser,
  Session: accounts.session,
  ApiToken: accounts.apiToken,
  NewApiToken: accounts.newApiToken,
  Store: accounts.store,
  Country: places.country,
  State: places.state,
  Address: places.address,
  Zone: places.zone,
};
