import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import {
  AmountQuery,
  NewPaymentJson,
  PAYMENT_ATTRIBUTES,
  PaymentCreate,
  PaymentUpdate,
} from './payments.schema';
import { PaymentJson } from '../order-replies/payments.schema';
import { paymentSearch } from '../payment-processing/payments.search';
import { serializePayment } from '../order-replies/payments.serializer';
import type { ListedPayment } from '../payment-processing/payments.repository';
import {
  performPaymentAction,
  changePayment,
  createPayment,
  getPayment,
  listOfferedMethods,
  listOrderPayments,
  listPayments,
  type PaymentAction,
} from './payments.service';

const OrderParams = z.object({ number: PathName });
const PaymentParams = OrderParams.extend({
  id: PathName.meta({ description: 'The id of the payment, or its number.' }),
});

const serialize = (payment: ListedPayment): PaymentJson => serializePayment(payment, payment.currency);

export function paymentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Payments');

  endpoint(router, 'get /payments', {
    access: 'admin',
    summary: 'Payments of all orders, oldest first',
    search: paymentSearch,
    private: true,
    paged: { key: 'payments', item: PaymentJson },
    handle: async (ctx, { list }) => mapPage(await listPayments(ctx, list), serialize),
  });
  endpoint(router, 'get /orders/:number/payments', {
    access: 'order',
    summary: 'Payments of an order, oldest first',
    params: OrderParams,
    search: paymentSearch,
    private: true,
    paged: { key: 'payments', item: PaymentJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listOrderPayments(ctx, params.number, list), serialize),
  });
  endpoint(router, 'get /orders/:number/payments/new', {
    access: 'order',
    summary: 'What a payment has, and what the caller may pay with',
    params: OrderParams,
    private: true,
    reply: NewPaymentJson,
    handle: async (ctx, { params }) => ({
      attributes: PAYMENT_ATTRIBUTES,
      payment_methods: (await listOfferedMethods(ctx, params.number)).map(
        ({ id, name, description, method_type }) => ({ id, name, description, method_type }),
      ),
    }),
  });
  addRecord(router);
  addActions(router);
  return router;
}

function addRecord(router: ApiRouter<Ctx>): void {
  endpoint(router, 'post /orders/:number/payments', {
    access: 'order',
    summary: 'Enter a payment',
    description:
      'Nothing is charged yet; payments entered before that nobody was asked for become `invalid`. A card comes as `source_attributes`, or as the id of a saved one in `existing_card`.',
    params: OrderParams,
    input: PaymentCreate,
    status: 201,
    private: true,
    reply: PaymentJson,
    handle: async (ctx, { params, input }) =>
      serialize(await createPayment(ctx, params.number, input.payment)),
  });
  endpoint(router, 'get /orders/:number/payments/:id', {
    access: 'order',
    summary: 'One payment of an order',
    params: PaymentParams,
    private: true,
    reply: PaymentJson,
    handle: async (ctx, { params }) => serialize(await getPayment(ctx, params)),
  });
  endpoint(router, 'put /orders/:number/payments/:id', {
    access: 'admin',
    summary: 'Change a payment',
    description: '403 unless its state is `checkout` or `pending`.',
    params: PaymentParams,
    input: PaymentUpdate,
    private: true,
    reply: PaymentJson,
    handle: async (ctx, { params, input }) => serialize(await changePayment(ctx, params, input.payment)),
  });
}

/** What moves money. Each may be repeated, and answers 503 while the gateway does not. */
function addActions(router: ApiRouter<Ctx>): void {
  const action = (event: PaymentAction['event'], summary: string, description?: string): void => {
    endpoint(router, `put /orders/:number/payments/:id/${event}`, {
      access: 'admin',
      summary,
      ...(description !== undefined && { description, query: AmountQuery }),
      params: PaymentParams,
      private: true,
      reply: PaymentJson,
      handle: async (ctx, request) => {
        const { amount } = AmountQuery.parse(request.query ?? {});
        return serialize(await performPaymentAction(ctx, request.params, { event, amount }));
      },
    });
  };
  action('authorize', 'Reserve the amount at the gateway');
  action(
    'capture',
    'Take what was authorized',
    '`amount` takes only a part of it; the rest becomes a pending payment of its own.',
  );
  action('purchase', 'Authorize and capture in one');
  action('void', 'Call the payment off at the gateway');
  action('credit', 'Give money back', '`amount`, or without it all that can be given back.');
}
