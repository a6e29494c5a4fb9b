import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { isBlank } from '../../platform/blank';
import { PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';
import {
  AmountQuery,
  CreditQuery,
  ListedRefundJson,
  NewPaymentJson,
  PAYMENT_ATTRIBUTES,
  PaymentCreate,
  PaymentSettlement,
  PaymentUpdate,
} from './payments.schema';
import { PaymentJson } from '../order-replies/payments.schema';
import { paymentSearch } from '../payment-processing/payments.search';
import { refundSearch } from '../payment-processing/refunds.search';
import { serializePayment, serializeRefund } from '../order-replies/payments.serializer';
import type { ListedPayment } from '../payment-processing/payments.repository';
import { performPaymentAction, type PaymentAction } from './payment-actions.service';
import {
  changePayment,
  createPayment,
  getPayment,
  listOfferedMethods,
  listOrderPayments,
  listOrderRefunds,
  listPayments,
} from './payments.service';
import { settlePayment } from './settle-payment.service';

const OrderParams = z.object({ number: PathName });

const PAYMENTS = {
  private: true,
  reply: PaymentJson,
  serialize: (payment: ListedPayment): PaymentJson => serializePayment(payment, payment),
} as const;

export function paymentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Payments', 'payments');

  declareRecordEndpoints(router, '/payments', {
    ...PAYMENTS,
    access: { read: 'admin', write: 'admin' },
    list: {
      summary: 'List the payments of all orders, oldest first',
      description: 'Filter and sort with `q`, for example `q[state_eq]=pending`.',
      search: paymentSearch,
      feed: true,
      handle: (ctx, { list }) => listPayments(ctx, list),
    },
  });
  endpoint(router, 'get /orders/:number/payments/new', {
    access: 'order',
    summary: 'Attributes of a payment, and the available payment methods',
    description: 'Returns the names of the attributes and the payment methods that the caller may use.',
    params: OrderParams,
    private: true,
    reply: NewPaymentJson,
    handle: async (ctx, { params }) => ({
      attributes: PAYMENT_ATTRIBUTES,
      payment_methods: (await listOfferedMethods(ctx, params.number)).map(
        ({ id, name, description, method_type, gateway, public_preferences }) => ({
          id,
          name,
          description,
          method_type,
          gateway,
          public_preferences,
        }),
      ),
    }),
  });
  endpoint(router, 'get /orders/:number/refunds', {
    access: 'order',
    scope: 'orders:read',
    summary: 'List the refunds of an order, oldest first',
    description: 'Each refund names its payment. Filter and sort with `q`.',
    params: OrderParams,
    search: refundSearch,
    private: true,
    paged: { key: 'refunds', item: ListedRefundJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listOrderRefunds(ctx, params.number, list), (refund) => ({
        ...serializeRefund(refund),
        payment_id: refund.payment_id,
      })),
  });
  declarePaymentsOfOrder(router);
  return router;
}

function declarePaymentsOfOrder(router: ApiRouter<Ctx>): void {
  const declareAction = declareRecordEndpoints(router, '/orders/:number/payments', {
    ...PAYMENTS,
    params: OrderParams,
    id: PathName.describe('The id of the payment, or its number.'),
    access: { read: 'order', write: 'admin' },
    get: (ctx, params) => getPayment(ctx, params),
    list: {
      summary: 'List the payments of an order, oldest first',
      description: 'Filter and sort with `q`.',
      search: paymentSearch,
      handle: (ctx, { params, list }) => listOrderPayments(ctx, params.number, list),
    },
    show: {
      summary: 'Get a payment of an order',
      description: 'With its refunds and the amount that can still be refunded.',
    },
    create: {
      access: 'order',
      summary: 'Add a payment to an order',
      description:
        'Nothing is charged yet. Earlier payments in state `checkout` become `invalid`. Send a new card in `source_attributes`, or the id of a saved card in `existing_card`.',
      input: PaymentCreate,
      handle: (ctx, { params, input }) => createPayment(ctx, params.number, input.payment),
    },
    update: {
      summary: 'Update a payment',
      description:
        'Returns 403 unless its state is `checkout` or `pending`. The amount of a pending payment can only be lowered.',
      input: PaymentUpdate,
      handle: (ctx, { params, input }) => changePayment(ctx, params, input.payment),
    },
  });
  // For payments whose gateway does not answer.
  declareAction('settle', {
    summary: 'Settle a payment whose gateway does not answer',
    description:
      'Records the outcome of a payment that is `processing`, as if the gateway had answered: an order that is being completed is completed, or its items return to stock. Calls no gateway for this payment. Returns 409 in the first seconds of a call, and 422 if the payment is not `processing`.',
    input: PaymentSettlement,
    handle: (ctx, { params, input }) => {
      const response_code = isBlank(input.response_code) ? null : input.response_code;
      return settlePayment(ctx, params, { ...input, response_code });
    },
  });
  // These call a gateway. They may be repeated, and return 503 when the gateway does not respond.
  const action = (
    event: PaymentAction['event'],
    summary: string,
    options: { description?: string; query?: typeof AmountQuery | typeof CreditQuery } = {},
  ): void =>
    declareAction(event, {
      summary,
      ...options,
      handle: (ctx, { params, query }) => {
        const { amount, reason } = CreditQuery.parse(query ?? {});
        return performPaymentAction(ctx, params, { event, amount, reason });
      },
    });
  action('authorize', 'Authorize a payment', {
    description:
      'Reserves the amount at the provider: the payment becomes `pending`, or `failed` if the provider declines. May be repeated.',
  });
  action('capture', 'Capture an authorized payment', {
    query: AmountQuery,
    description:
      'Captures `amount`; the rest becomes a new pending payment. Defaults to what a complete order owes, at most the payment; to the whole payment if its amount was set explicitly or the order is incomplete.',
  });
  action('purchase', 'Authorize and capture a payment in one step', {
    description: 'The payment becomes `completed`, or `failed` if the provider declines. May be repeated.',
  });
  action('void', 'Void a payment', {
    description:
      'Releases an authorized amount, or cancels a captured one of which nothing is refunded. May be repeated.',
  });
  action('credit', 'Refund a payment', {
    query: CreditQuery,
    description:
      'Refunds `amount`. Defaults to what the order owes the customer, at most `credit_allowed`; required if it owes nothing.',
  });
}
