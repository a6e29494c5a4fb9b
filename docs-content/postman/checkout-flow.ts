import { address, card } from '../sample-customer';

/** One request of the flow and its expected response. */
export interface Step {
  name: string;
  /** The guest sends the order's token, the administrator an API token. */
  by: 'guest' | 'admin';
  /** Method and path below /api/v1. `{{names}}` are collection variables. */
  request: `${'GET' | 'POST' | 'PUT'} /${string}`;
  body?: unknown;
  status: number;
  /** JavaScript expressions on `reply`, and their expected values. */
  expected: Readonly<Record<string, string | number | boolean>>;
  /** Collection variables to set for later steps: JavaScript expressions on `reply` or `pm`. */
  variables?: Readonly<Record<string, string>>;
}

const ORDER = '/orders/{{order_number}}';
const CHECKOUT = '/checkouts/{{order_number}}';
const RETURN = `${ORDER}/return_authorizations/{{return_id}}`;

/** A checkout from the catalog to the refund of a return, as a folder that runs from top to bottom. */
export const CHECKOUT_FLOW: readonly Step[] = [
  {
    name: 'Find a variant in stock',
    by: 'guest',
    request: 'GET /products?per_page=5',
    status: 200,
    expected: { 'reply.count': 5, 'reply.products.every((product) => product.slug !== "")': true },
    variables: {
      variant_id:
        'reply.products.flatMap((product) => product.variants).find((variant) => variant.total_on_hand > 1).id',
    },
  },
  {
    name: 'Read its price',
    by: 'guest',
    request: 'GET /variants/{{variant_id}}',
    status: 200,
    expected: { 'reply.in_stock': true },
    variables: { price: 'reply.price', on_hand: 'reply.total_on_hand' },
  },
  {
    name: 'Create a cart',
    by: 'guest',
    request: 'POST /orders',
    body: {},
    status: 201,
    expected: { 'reply.state': 'cart', 'reply.total': '0.0' },
    variables: { order_number: 'reply.number', order_token: 'reply.token' },
  },
  {
    name: 'Add two units to the cart',
    by: 'guest',
    request: `POST ${ORDER}/line_items`,
    body: { line_item: { variant_id: '{{variant_id}}', quantity: 2 } },
    status: 201,
    expected: { 'reply.quantity': 2, 'reply.price === pm.collectionVariables.get("price")': true },
  },
  {
    name: 'Start the checkout',
    by: 'guest',
    request: `PUT ${CHECKOUT}/next`,
    status: 200,
    expected: { 'reply.state': 'address', 'reply.total_quantity': 2 },
  },
  {
    name: 'Set e-mail and address',
    by: 'guest',
    request: `PUT ${CHECKOUT}`,
    body: {
      order: {
        email: 'ann@example.com',
        use_billing: true,
        bill_address: address,
      },
    },
    status: 200,
    expected: {
      'reply.state': 'delivery',
      'reply.ship_address.city': 'Portland',
      'reply.shipments.length': 1,
    },
    variables: {
      shipment_id: 'reply.shipments[0].id',
      shipping_rate_id: 'reply.shipments[0].shipping_rates[1].id',
    },
  },
  {
    name: 'Select a faster shipping rate',
    by: 'guest',
    request: `PUT ${CHECKOUT}`,
    body: {
      order: {
        shipments_attributes: [{ id: '{{shipment_id}}', selected_shipping_rate_id: '{{shipping_rate_id}}' }],
      },
    },
    status: 200,
    expected: { 'reply.state': 'payment', 'reply.ship_total': '10.0' },
    variables: {
      payment_method_id: 'reply.payment_methods.find((method) => method.method_type === "gateway").id',
    },
  },
  {
    name: 'Add a test card',
    by: 'guest',
    request: `PUT ${CHECKOUT}`,
    body: {
      order: { payments_attributes: [{ payment_method_id: '{{payment_method_id}}' }] },
      payment_source: { '{{payment_method_id}}': card },
    },
    status: 200,
    expected: { 'reply.state': 'confirm', 'reply.payments[0].state': 'checkout' },
  },
  {
    name: 'Complete the order',
    by: 'guest',
    request: `PUT ${CHECKOUT}/next`,
    status: 200,
    expected: {
      'reply.state': 'complete',
      'Number(reply.total) === 2 * Number(pm.collectionVariables.get("price")) + 10': true,
    },
  },
  {
    name: 'Read the order as the administrator',
    by: 'admin',
    request: `GET ${ORDER}`,
    status: 200,
    expected: {
      'reply.payment_state': 'balance_due',
      'reply.shipment_state': 'pending',
      'reply.payments[0].state': 'pending',
    },
    variables: {
      total: 'reply.total',
      payment_id: 'reply.payments[0].id',
      shipment_number: 'reply.shipments[0].number',
    },
  },
  {
    name: 'Capture the payment',
    by: 'admin',
    request: `PUT ${ORDER}/payments/{{payment_id}}/capture`,
    status: 200,
    expected: {
      'reply.state': 'completed',
      'reply.amount === pm.collectionVariables.get("total")': true,
    },
  },
  {
    name: 'Ship the shipment',
    by: 'admin',
    request: 'PUT /shipments/{{shipment_number}}/ship',
    body: { shipment: { tracking: '1Z-5500' } },
    status: 200,
    expected: { 'reply.state': 'shipped', 'reply.tracking': '1Z-5500' },
  },
  {
    name: 'List the reasons for a return',
    by: 'admin',
    request: `GET ${ORDER}/return_authorizations/new`,
    status: 200,
    expected: { 'reply.return_authorization_reasons.length > 0': true },
    variables: { return_reason_id: 'reply.return_authorization_reasons[0].id' },
  },
  {
    name: 'List the stock locations',
    by: 'admin',
    request: 'GET /stock_locations',
    status: 200,
    expected: { 'reply.stock_locations.length > 0': true },
    variables: { stock_location_id: 'reply.stock_locations.find((location) => location.default).id' },
  },
  {
    name: 'Authorize a return',
    by: 'admin',
    request: `POST ${ORDER}/return_authorizations`,
    body: {
      return_authorization: {
        amount: '{{price}}',
        memo: 'One was enough',
        stock_location_id: '{{stock_location_id}}',
        return_authorization_reason_id: '{{return_reason_id}}',
      },
    },
    status: 201,
    expected: { 'reply.state': 'authorized' },
    variables: { return_id: 'reply.id' },
  },
  {
    name: 'Add the returned item',
    by: 'admin',
    request: `PUT ${RETURN}/add`,
    body: { variant_id: '{{variant_id}}', quantity: 1 },
    status: 200,
    expected: { 'reply.state': 'authorized' },
  },
  {
    name: 'Receive the return',
    by: 'admin',
    request: `PUT ${RETURN}/receive`,
    status: 200,
    expected: { 'reply.state': 'received' },
  },
  {
    name: 'Check that the item is restocked',
    by: 'guest',
    request: 'GET /variants/{{variant_id}}',
    status: 200,
    expected: { 'reply.total_on_hand === Number(pm.collectionVariables.get("on_hand")) - 1': true },
  },
  {
    name: 'Check that a credit is owed',
    by: 'guest',
    request: `GET ${ORDER}`,
    status: 200,
    expected: { 'reply.payment_state': 'credit_owed', 'reply.shipment_state': 'shipped' },
  },
  {
    name: 'Refund the customer',
    by: 'admin',
    request: `PUT ${ORDER}/payments/{{payment_id}}/credit`,
    body: { amount: '{{price}}' },
    status: 200,
    expected: { 'reply.state': 'completed' },
  },
  {
    name: 'Check that the order is settled',
    by: 'guest',
    request: `GET ${ORDER}`,
    status: 200,
    expected: {
      'reply.payment_state': 'paid',
      'Number(reply.payment_total) === Number(reply.total)': true,
    },
  },
  {
    name: 'Read the history',
    by: 'guest',
    request: `GET ${ORDER}/history`,
    status: 200,
    expected: {
      'reply.state_changes.some(({ subject_type, to_state }) => subject_type === "order" && to_state === "complete")': true,
    },
  },
];
