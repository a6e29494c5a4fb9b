import { buildOperationId } from '../../../src/platform/openapi/operation-id';

test.each([
  ['get', '/products', 'listProducts'],
  ['post', '/products', 'createProduct'],
  ['get', '/products/:id', 'getProduct'],
  ['patch', '/products/:id', 'patchProduct'],
  ['get', '/products/new', 'describeNewProduct'],
  ['get', '/taxonomies', 'listTaxonomies'],
  ['delete', '/taxonomies/:id', 'deleteTaxonomy'],
  ['put', '/orders/:number/addresses/:id', 'updateOrderAddress'],
  ['get', '/products/:product_id/variants', 'listProductVariants'],
  ['get', '/orders/mine', 'listOwnOrders'],
  ['get', '/orders/current', 'getCurrentOrder'],
  ['get', '/orders/:number/history', 'getOrderHistory'],
  ['put', '/orders/:number/payments/:id/capture', 'captureOrderPayment'],
  ['patch', '/orders/:number/payments/:id/capture', 'patchCaptureOrderPayment'],
  ['put', '/shipments/:number/add', 'addToShipment'],
  ['post', '/shipments/transfer_to_location', 'transferToLocation'],
  ['delete', '/sessions', 'deleteSession'],
  ['get', '/config', 'getConfig'],
])('the id of %s %s is %s', (method, path, name) => {
  expect(buildOperationId(method, path)).toBe(name);
});
