import { z } from 'zod';
import { WrongSignature, type GatewayEvent, type RawEvent } from '../gateway';
import { readMoney } from './answers';
import type { Credentials, PaypalClient } from './client';

const Event = z.object({
  id: z.string().min(1).max(255),
  event_type: z.string(),
  resource: z.record(z.string(), z.unknown()),
});

const Named = z.object({
  id: z.string().optional(),
  custom_id: z.string().optional(),
  purchase_units: z.array(z.object({ custom_id: z.string().optional() })).default([]),
});

/** A refund with a link to the capture that it gives back, or a capture with one to its authorization. */
const Movement = z.object({
  id: z.string(),
  status: z.literal('COMPLETED'),
  amount: z.object({ value: z.string(), currency_code: z.string() }),
  links: z.array(z.object({ rel: z.string(), href: z.string() })),
});

const Dispute = z.object({
  dispute_id: z.string(),
  reason: z.string().nullish(),
  status: z.string(),
  dispute_amount: z.object({ value: z.string() }),
  disputed_transactions: z
    .array(z.object({ seller_transaction_id: z.string().optional(), custom: z.string().optional() }))
    .default([]),
});

/** The headers of an event, by the names that its check has. */
const SIGNED = ['auth_algo', 'cert_url', 'transmission_id', 'transmission_sig', 'transmission_time'] as const;

/**
 * Lets PayPal check the signature of an event, and reads it; null if it is about no payment.
 * @throws WrongSignature
 */
export async function readPaypalEvent(
  send: PaypalClient,
  { webhook_id }: Credentials,
  { body, header }: RawEvent,
): Promise<GatewayEvent | null> {
  const signed = SIGNED.map((name) => [name, header(`paypal-${name.replaceAll('_', '-')}`)] as const);
  const event: unknown = parse(body);
  if (event === null || signed.some(([, value]) => value === null)) throw new WrongSignature();
  const head = JSON.stringify({ ...Object.fromEntries(signed), webhook_id }).slice(0, -1);
  // The signature is of exactly this text, which is one JSON value.
  const request = `${head},"webhook_event":${body}}`;
  const checked = await send({ path: '/v1/notifications/verify-webhook-signature', body: request });
  if (z.object({ verification_status: z.literal('SUCCESS') }).safeParse(checked).success) return read(event);
  throw new WrongSignature();
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function read(value: unknown): GatewayEvent | null {
  const { data: event } = Event.safeParse(value);
  if (event === undefined) return null;
  const { id, event_type: type, resource } = event;
  if (type.startsWith('CUSTOMER.DISPUTE.')) return readDispute({ id, type }, resource);
  if (type === 'PAYMENT.CAPTURE.REFUNDED') {
    const refund = readRefund({ id, type }, resource);
    if (refund !== null) return refund;
  }
  const { data: named } = Named.safeParse(resource);
  if (named === undefined) return null;
  const payment_number = named.purchase_units[0]?.custom_id ?? named.custom_id ?? null;
  if (type === 'PAYMENT.REFUND.FAILED' && named.id !== undefined)
    return { id, type, payment_number, response_code: null, failed_refund: named.id };
  // Buyers can make orders with the public id of the app and give them our number, so only the order that our call made counts.
  if (!/^(CHECKOUT\.ORDER|PAYMENT)\./.test(type)) return null;
  const settlement = readSettlement(type, resource);
  const response_code = payment_number === null ? (settlement?.authorization ?? null) : null;
  return { id, type, payment_number, response_code, ...(settlement !== undefined && { settlement }) };
}

/** Reads how one of our authorizations has ended, whose id buyers cannot choose. */
function readSettlement(type: string, resource: Record<string, unknown>): GatewayEvent['settlement'] {
  if (type === 'PAYMENT.AUTHORIZATION.VOIDED' && typeof resource['id'] === 'string')
    return { authorization: resource['id'], captured: null };
  if (type !== 'PAYMENT.CAPTURE.COMPLETED') return undefined;
  const capture = readMovement(resource, 'authorizations');
  return capture === null ? undefined : { authorization: capture.of, captured: capture.moved };
}

/** Reads a movement of money and the id of what it belongs to, to which it links; null without that link. */
function readMovement(resource: unknown, whole: 'authorizations' | 'captures') {
  const { data } = Movement.safeParse(resource);
  const link = data?.links.find(({ rel, href }) => rel === 'up' && href.split('/').at(-2) === whole);
  const of = link?.href.split('/').at(-1);
  if (data === undefined || of === undefined) return null;
  const { value, currency_code: currency } = data.amount;
  return { of, moved: { reference: data.id, amount: readMoney(value), currency } };
}

/** Reads a refund of one of our captures, whose id buyers cannot choose; null without a link to the capture. */
function readRefund(event: Pick<GatewayEvent, 'id' | 'type'>, resource: unknown): GatewayEvent | null {
  const found = readMovement(resource, 'captures');
  if (found === null) return null;
  const { reference: id, ...moved } = found.moved;
  return { ...event, payment_number: null, response_code: found.of, refund: { id, ...moved } };
}

function readDispute(event: Pick<GatewayEvent, 'id' | 'type'>, resource: unknown): GatewayEvent | null {
  const { data } = Dispute.safeParse(resource);
  if (data === undefined) return null;
  const [disputed] = data.disputed_transactions;
  return {
    ...event,
    payment_number: disputed?.custom ?? null,
    response_code: disputed?.seller_transaction_id ?? null,
    dispute: {
      id: data.dispute_id,
      state: data.status.toLowerCase(),
      reason: data.reason ?? null,
      amount: readMoney(data.dispute_amount.value),
    },
  };
}
