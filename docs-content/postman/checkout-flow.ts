import { address, card } from '../sample-customer';

/** One request of the flow, and what its reply has to be. */
export interface Step {
  name: string;
  /** The guest presents the order's token, the administrator their own. */
  by: 'guest' | 'admin';
  /** Below /api/v1. `{{names}}` are the collection's variables. */
  ask: `${'GET' | 'POST' | 'PUT'} /${string}`;
  body?: unknown;
  status: number;
  /** JavaScript of the `reply`, and what it comes to. */
  facts: Readonly<Record<string, string | number | boolean>>;
  /** Variables for the steps that follow: JavaScript of the `reply` or, in `pm`, of what is known already. */
  keep?: Readonly<Record<string, string>>;
}

const ORDER = '/orders/{{order_number}}';
const CHECKOUT = '/checkouts/{{order_number}}';
const RETURN = `${ORDER}/return_authorizations/{{return_id}}`;

/** From the shelf to the customer and half the way back: the folder of the collection to be run from top to bottom. */
export const CHECKOUT_FLOW: readonly Step[] = [
  {
    name: 'Look around for something in stock',
    by: 'guest',
    ask: 'GET /products?per_page=5',
    status: 200,
    facts: { 'reply.count': 5, 'reply.products.every((product) => product.slug !== "")': true },
    keep: {
      variant_id:
        'reply.products.flatMap((product) => product.variants).find((variant) => variant.total_on_hand > 1).id',
    },
  },
  {
    name: 'See what it costs',
    by: 'guest',
    ask: 'GET /variants/{{variant_id}}',
    status: 200,
    facts: { 'reply.in_stock': true },
    keep: { price: 'reply.price', on_hand: 'reply.total_on_hand' },
  },
  {
    name: 'Open a cart',
    by: 'guest',
    ask: 'POST /orders',
    body: {},
    status: 201,
    facts: { 'reply.state': 'cart', 'reply.total': '0.0' },
    keep: { order_number: 'reply.number', order_token: 'reply.token' },
  },
  {
    name: 'Put two of it into the cart',
    by: 'guest',
    ask: `POST ${ORDER}/line_items`,
    body: { line_item: { variant_id: '{{variant_id}}', quantity: 2 } },
    status: 201,
    facts: { 'reply.quantity': 2, 'reply.price === pm.collectionVariables.get("price")': true },
  },
  {
    name: 'Begin the checkout',
    by: 'guest',
    ask: `PUT ${CHECKOUT}/next`,
    status: 200,
    facts: { 'reply.state': 'address', 'reply.total_quantity': 2 },
  },
  {
    name: 'Say who buys and where to',
    by: 'guest',
    ask: `PUT ${CHECKOUT}`,
    body: {
      order: {
        email: 'ann@example.com',
        use_billing: true,
        bill_address: address,
      },
    },
    status: 200,
    facts: { 'reply.state': 'delivery', 'reply.ship_address.city': 'Portland', 'reply.shipments.length': 1 },
    keep: {
      shipment_id: 'reply.shipments[0].id',
      shipping_rate_id: 'reply.shipments[0].shipping_rates[1].id',
    },
  },
  {
    name: 'Choose a faster parcel',
    by: 'guest',
    ask: `PUT ${CHECKOUT}`,
    body: {
      order: {
        shipments_attributes: [{ id: '{{shipment_id}}', selected_shipping_rate_id: '{{shipping_rate_id}}' }],
      },
    },
    status: 200,
    facts: { 'reply.state': 'payment', 'reply.ship_total': '10.0' },
    keep: {
      payment_method_id: 'reply.payment_methods.find((method) => method.method_type === "gateway").id',
    },
  },
  {
    name: 'Give a card of the test gateway',
    by: 'guest',
    ask: `PUT ${CHECKOUT}`,
    body: {
      order: { payments_attributes: [{ payment_method_id: '{{payment_method_id}}' }] },
      payment_source: { '{{payment_method_id}}': card },
    },
    status: 200,
    facts: { 'reply.state': 'confirm', 'reply.payments[0].state': 'checkout' },
  },
  {
    name: 'Buy it',
    by: 'guest',
    ask: `PUT ${CHECKOUT}/next`,
    status: 200,
    facts: {
      'reply.state': 'complete',
      'Number(reply.total) === 2 * Number(pm.collectionVariables.get("price")) + 10': true,
    },
  },
  {
    name: 'The administrator sees the order',
    by: 'admin',
    ask: `GET ${ORDER}`,
    status: 200,
    facts: {
      'reply.payment_state': 'balance_due',
      'reply.shipment_state': 'pending',
      'reply.payments[0].state': 'pending',
    },
    keep: {
      total: 'reply.total',
      payment_id: 'reply.payments[0].id',
      shipment_number: 'reply.shipments[0].number',
    },
  },
  {
    name: 'Capture the payment',
    by: 'admin',
    ask: `PUT ${ORDER}/payments/{{payment_id}}/capture`,
    status: 200,
    facts: {
      'reply.state': 'completed',
      'reply.amount === pm.collectionVariables.get("total")': true,
    },
  },
  {
    name: 'Ship the parcel',
    by: 'admin',
    ask: 'PUT /shipments/{{shipment_number}}/ship',
    body: { shipment: { tracking: '1Z-5500' } },
    status: 200,
    facts: { 'reply.state': 'shipped', 'reply.tracking': '1Z-5500' },
  },
  {
    name: 'Ask for the reasons to return something',
    by: 'admin',
    ask: `GET ${ORDER}/return_authorizations/new`,
    status: 200,
    facts: { 'reply.return_authorization_reasons.length > 0': true },
    keep: { return_reason_id: 'reply.return_authorization_reasons[0].id' },
  },
  {
    name: 'See where it may go back to',
    by: 'admin',
    ask: 'GET /stock_locations',
    status: 200,
    facts: { 'reply.stock_locations.length > 0': true },
    keep: { stock_location_id: 'reply.stock_locations.find((location) => location.default).id' },
  },
  {
    name: 'Allow a return',
    by: 'admin',
    ask: `POST ${ORDER}/return_authorizations`,
    body: {
      return_authorization: {
        amount: '{{price}}',
        memo: 'One was enough',
        stock_location_id: '{{stock_location_id}}',
        return_authorization_reason_id: '{{return_reason_id}}',
      },
    },
    status: 201,
    facts: { 'reply.state': 'authorized' },
    keep: { return_id: 'reply.id' },
  },
  {
    name: 'Say what comes back',
    by: 'admin',
    ask: `PUT ${RETURN}/add`,
    body: { variant_id: '{{variant_id}}', quantity: 1 },
    status: 200,
    facts: { 'reply.state': 'authorized' },
  },
  {
    name: 'Receive it',
    by: 'admin',
    ask: `PUT ${RETURN}/receive`,
    status: 200,
    facts: { 'reply.state': 'received' },
  },
  {
    name: 'It is on the shelf again',
    by: 'guest',
    ask: 'GET /variants/{{variant_id}}',
    status: 200,
    facts: { 'reply.total_on_hand === Number(pm.collectionVariables.get("on_hand")) - 1': true },
  },
  {
    name: 'The customer is owed its price',
    by: 'guest',
    ask: `GET ${ORDER}`,
    status: 200,
    facts: { 'reply.payment_state': 'credit_owed', 'reply.shipment_state': 'shipped' },
  },
  {
    name: 'Give the money back',
    by: 'admin',
    ask: `PUT ${ORDER}/payments/{{payment_id}}/credit`,
    body: { amount: '{{price}}' },
    status: 200,
    facts: { 'reply.state': 'completed' },
  },
  {
    name: 'Nobody owes anything',
    by: 'guest',
    ask: `GET ${ORDER}`,
    status: 200,
    facts: {
      'reply.payment_state': 'paid',
      'Number(reply.payment_total) === Number(reply.total)': true,
    },
  },
  {
    name: 'Read what happened',
    by: 'guest',
    ask: `GET ${ORDER}/history`,
    status: 200,
    facts: {
      'reply.state_changes.some(({ subject_type, to_state }) => subject_type === "order" && to_state === "complete")': true,
    },
  },
];
