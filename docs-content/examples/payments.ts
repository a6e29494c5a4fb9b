import type { ListedRefundJson, NewPaymentJson } from '../../src/sales/payments/payments.schema';
import type {
  CreditCardJson,
  OrderPaymentJson,
  PaymentJson,
  RefundJson,
} from '../../src/sales/order-replies/payments.schema';
import type { ResourceExamples } from './resource-examples';
import { ORDER } from '../demo-orders';
import { card } from '../sample-customer';

export const creditCard: CreditCardJson = {
  id: 1,
  month: '12',
  year: '2035',
  cc_type: null,
  last_digits: '1111',
  name: 'Ann Lee',
  gateway_customer_profile_id: 'BGS-414610',
  gateway_payment_profile_id: null,
};

export const payment: PaymentJson = {
  id: 1,
  source_type: 'Store::CreditCard',
  source_id: 1,
  amount: '58.0',
  display_amount: '$58.00',
  payment_method_id: 1,
  state: 'completed',
  avs_response: 'D',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
  number: 'PGMRA117',
  requires_action: null,
  credit_allowed: '58.0',
  refunds: [],
};

export const refund: RefundJson = {
  id: 1,
  amount: '5.0',
  reason: 'Damaged in transit',
  created_at: '2026-03-04T12:00:00.000Z',
  user_id: 1,
};

export const listedRefund: ListedRefundJson = { ...refund, payment_id: 1 };

export const newPayment: NewPaymentJson = {
  attributes: [
    'id',
    'source_type',
    'source_id',
    'amount',
    'display_amount',
    'payment_method_id',
    'state',
    'avs_response',
    'created_at',
    'updated_at',
    'number',
  ],
  payment_methods: [
    {
      id: 1,
      name: 'Credit Card',
      description: 'Bogus payment gateway.',
      method_type: 'gateway',
      gateway: 'bogus',
      public_preferences: {},
    },
    {
      id: 2,
      name: 'Check',
      description: 'Pay by check.',
      method_type: 'check',
      gateway: 'check',
      public_preferences: {},
    },
  ],
};

export const orderPayment: OrderPaymentJson = {
  ...payment,
  payment_method: { id: 1, name: 'Credit Card' },
  source: creditCard,
};

const pending = { number: ORDER.authorized, id: 'PCB9B1DE' };

export const paymentsExamples: ResourceExamples = {
  replies: {
    OrderPayment: orderPayment,
    Payment: payment,
    Refund: refund,
    ListedRefund: listedRefund,
    NewPayment: newPayment,
    CreditCard: creditCard,
  },
  requests: {
    'post /orders/:number/payments': { payment: { payment_method_id: 1, source_attributes: card } },
    'put /orders/:number/payments/:id': { payment: { amount: '20.00' } },
    'put /orders/:number/payments/:id/settle': {
      outcome: 'approved',
      reason: 'Seen in the dashboard of the provider',
    },
    'post /gateways/:payment_method_id/events': {
      id: 'evt_1',
      type: 'payment.approved',
      payment: 'PCB9B1DE',
    },
  },
  parameters: {
    places: {
      '/gateways/:payment_method_id': 1,
      '/orders/:number/payments/:id': 'PCC45175',
    },
    routes: {
      'post /orders/:number/payments': { number: ORDER.payment },
      'put /orders/:number/payments/:id': pending,
      'put /orders/:number/payments/:id/authorize': pending,
      'put /orders/:number/payments/:id/capture': pending,
      'put /orders/:number/payments/:id/purchase': pending,
      'put /orders/:number/payments/:id/void': pending,
      'put /orders/:number/payments/:id/settle': pending,
      'put /orders/:number/payments/:id/confirm_action': pending,
      'put /orders/:number/payments/:id/cancel_action': pending,
      'put /payments/:id/confirm_action': { id: pending.id },
      'put /payments/:id/cancel_action': { id: pending.id },
    },
    queries: {
      'put /orders/:number/payments/:id/capture': { amount: '20.00' },
      'put /orders/:number/payments/:id/credit': { amount: '5.00', reason: 'Damaged in transit' },
    },
  },
};
