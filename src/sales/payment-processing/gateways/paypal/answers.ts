import { z } from 'zod';
import { toAmount, type Amount, type Currency } from '../../../../platform/money';
import { decline, NO_CODES, type Approved, type GatewayAnswer } from '../gateway';
import { PaypalRefusal } from './client';

const Money = z.object({ currency_code: z.string(), value: z.string() });
type Money = z.output<typeof Money>;
const Processed = z.object({ avs_code: z.string().optional(), cvv_code: z.string().optional() }).optional();
const Part = z.object({ id: z.string(), status: z.string(), processor_response: Processed });

export const Order = z.object({
  id: z.string(),
  status: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
  purchase_units: z
    .array(
      z.object({
        amount: Money.optional(),
        payments: z
          .object({ authorizations: z.array(Part).default([]), captures: z.array(Part).default([]) })
          .optional(),
      }),
    )
    .default([]),
});
export type Order = z.output<typeof Order>;

/** A capture, a refund or an authorization of its own. */
export const Transaction = Part;
export type Transaction = z.output<typeof Part>;

/** An approval that keeps the stored code. */
export const ACCEPTED: Approved = { approved: true, ...NO_CODES, message: 'PayPal: accepted' };

/** Returns what an order has moved or holds: its authorization, or else its capture. */
export function findPart({ purchase_units }: Order): Transaction | undefined {
  const payments = purchase_units[0]?.payments;
  return payments?.authorizations[0] ?? payments?.captures[0];
}

/** Reads how an order stands that the buyer pays, or has paid. */
export function readOrder(order: Order): GatewayAnswer {
  const part = findPart(order);
  if (part !== undefined) return readTransaction(part, { waitsAs: order.id });
  if (order.status === 'VOIDED')
    return decline('PayPal: the payment has expired', { response_code: order.id });
  const link = order.links.find(({ rel }) => rel === 'payer-action' || rel === 'approve');
  const requires_action =
    link === undefined || order.status === 'APPROVED' ? null : { redirect_url: link.href };
  return { waiting: true, response_code: order.id, requires_action };
}

const FAILED = new Set(['DENIED', 'DECLINED', 'FAILED', 'VOIDED', 'EXPIRED', 'CANCELLED']);

/** Reads how an authorization, capture or refund stands. @param waitsAs the id by which it is asked for while it waits */
export function readTransaction(
  { id, status, processor_response: codes }: Transaction,
  { waitsAs = id }: { waitsAs?: string } = {},
): GatewayAnswer {
  if (FAILED.has(status)) return decline(`PayPal: ${status.toLowerCase()}`, { response_code: id });
  if (status === 'PENDING') return { waiting: true, response_code: waitsAs, requires_action: null };
  return {
    ...ACCEPTED,
    response_code: id,
    avs_response: codes?.avs_code ?? null,
    cvv_response: codes?.cvv_code ?? null,
  };
}

/** The currencies in which PayPal takes no decimals. */
const WHOLE: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);

/**
 * Builds an amount as PayPal expects it.
 * @throws PaypalRefusal for decimals that PayPal does not take, as in TWD, which has cents in the store
 */
export function buildMoney(amount: Amount, currency: Currency): Money {
  if (WHOLE.has(currency) && amount % 100n !== 0n)
    throw new PaypalRefusal(422, '', `PayPal takes no decimals in ${currency}`);
  const cents = (amount % 100n).toString().padStart(2, '0');
  const value = WHOLE.has(currency) ? `${amount / 100n}` : `${amount / 100n}.${cents}`;
  return { currency_code: currency, value };
}

/** Returns whether the buyer pays exactly this: the page script of PayPal lets buyers change their order. */
export function isOrderOf({ purchase_units }: Order, amount: Amount, currency: Currency): boolean {
  const [unit, ...others] = purchase_units;
  return (
    others.length === 0 &&
    unit?.amount?.currency_code === currency &&
    readMoney(unit.amount.value) === readMoney(buildMoney(amount, currency).value)
  );
}

/** Reads an amount of PayPal, without its sign. */
export const readMoney = (value: string): Amount => toAmount(value.replace('-', ''));
