import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { PaymentJson } from '../order-replies/payments.schema';
import { serializePayment } from '../order-replies/payments.serializer';
import type { ListedPayment } from '../payment-processing/payments.repository';
import { receiveGatewayEvent } from './gateway-events.service';
import { getPayment, type PaymentPath } from './payments.service';
import { cancelAction, confirmAction, findPaymentPath } from './waiting-payments.service';
import { namedObject } from '../../platform/http/named-object';

const OrderPaymentParams = z.object({
  number: PathName,
  id: PathName.describe('The id of the payment, or its number.'),
});
const PaymentParams = OrderPaymentParams.pick({ id: true });

/** The body of an event. Its gateway reads it. */
const EventBody = z.record(z.string(), z.unknown()).meta({
  id: 'GatewayEvent',
  description: 'An event as the provider sends it.',
});

const EventJson = namedObject('ReceivedGatewayEvent', {
  received: z.literal(true).describe('Always true: the provider need not send it again.'),
});

/** The endpoints of payments that wait for the buyer or the provider. */
export function waitingPaymentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Payments', 'payments');
  addAction(router, 'confirm_action', {
    summary: 'Finish a payment after the action of the buyer',
    description:
      'For a payment with `requires_action`, after the buyer has acted. Reads the decision of the gateway: an order that is being completed is completed, or its items return to stock. The payment stays `processing` if the gateway still waits. May be repeated; returns 422 if the gateway declines.',
    perform: confirmAction,
  });
  addAction(router, 'cancel_action', {
    summary: 'Give up a payment that waits for the buyer or the provider',
    description:
      'The payment becomes `failed`, and the items of an order that is being completed return to stock, so that the buyer can pay another way. Returns 422 if the provider can no longer end it. May be repeated.',
    perform: cancelAction,
  });
  endpoint(router, 'post /gateways/:payment_method_id/events', {
    access: 'anyone',
    summary: 'Receive an event of a payment provider',
    description:
      'The address to enter at the provider as that of webhooks. The signature of the body is checked as the gateway of the payment method does it; a wrong one is 401. Events may come twice and in any order.',
    params: z.object({
      payment_method_id: PathId.describe('The id of the payment method, whose gateway reads it.'),
    }),
    input: EventBody,
    isSigned: true,
    ignoresIdempotencyKey: true,
    reply: EventJson,
    handle: async (ctx, { params, signed }) => {
      if (signed === undefined) throw new Error('the body was not kept');
      await receiveGatewayEvent(ctx, params.payment_method_id, signed);
      return { received: true } as const;
    },
  });
  return router;
}

/** Adds an action under the order of its payment, and under the payment alone. */
function addAction(
  router: ApiRouter<Ctx>,
  name: string,
  {
    perform,
    ...texts
  }: {
    summary: string;
    description: string;
    perform: (ctx: Ctx, path: PaymentPath) => Promise<ListedPayment>;
  },
): void {
  const common = { ...texts, access: 'order', private: true, reply: PaymentJson } as const;
  endpoint(router, `put /orders/:number/payments/:id/${name}`, {
    ...common,
    params: OrderPaymentParams,
    subject: (ctx, params) => getPayment(ctx, params),
    handle: async (ctx, { params }) => serialize(await perform(ctx, params)),
  });
  endpoint(router, `put /payments/:id/${name}`, {
    ...common,
    params: PaymentParams,
    handle: async (ctx, { params }) => serialize(await perform(ctx, await findPaymentPath(ctx, params.id))),
  });
}

const serialize = (payment: ListedPayment): PaymentJson => serializePayment(payment, payment);
