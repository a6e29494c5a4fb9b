import * as accounts from './examples/accounts';
import * as catalog from './examples/catalog';
import * as inventory from './examples/inventory';
import * as places from './examples/places';
import * as pricing from './examples/pricing';
import * as sales from './examples/sales';
import * as settings from './examples/settings';

/**
 * Example responses by schema id. All are about the same order of a tote bag. Tests validate them against the schemas.
 */
export const replyExamples: Readonly<Record<string, unknown>> = {
  Role: accounts.role,
  Product: catalog.product,
  Variant: catalog.variant,
  VariantWithStock: catalog.variantWithStock,
  Image: catalog.image,
  OptionType: catalog.optionType,
  OptionValue: catalog.optionValue,
  Property: catalog.property,
  ProductProperty: catalog.productProperty,
  Relation: catalog.relation,
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
  Refund: sales.refund,
  ListedRefund: sales.listedRefund,
  NewPayment: sales.newPayment,
  CreditCard: sales.creditCard,
  Shipment: sales.shipment,
  OwnShipment: sales.ownShipment,
  ShippingRate: sales.shippingRate,
  InventoryUnit: sales.inventoryUnit,
  InventoryUnitRecord: sales.inventoryUnitRecord,
  ReturnAuthorization: sales.returnAuthorization,
  Adjustment: pricing.adjustment,
  StateChange: sales.stateChange,
  Document: sales.document,
  ListedDocument: sales.listedDocument,
  Promotion: pricing.promotion,
  CouponResult: pricing.couponResult,
  AttributeList: catalog.attributeList,
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
  TaxCategory: settings.taxCategory,
  TaxRate: settings.taxRate,
  ShippingCategory: settings.shippingCategory,
  ShippingMethodSettings: settings.shippingMethod,
  PaymentMethodSettings: settings.paymentMethod,
  ReturnAuthorizationReason: settings.returnReason,
};
