import { isBlank } from '../../platform/blank';
import type { Tx } from '../../platform/database/transaction';
import { BLANK, InvalidResource, type FieldErrors } from '../../platform/errors';
import type { LockedOrder } from '../order/order-lock';
import type { OrderCreateInput } from './order-input.schema';
import { findOwnNumber, insertKeptInvoice } from './kept-invoices.repository';

/** @throws InvalidResource if an order that was not sold elsewhere has an invoice of another system */
export function rejectInvoiceOfCart({ invoice_number, invoiced_at, documents }: OrderCreateInput): void {
  const errors: FieldErrors = {};
  const message = ['must be blank unless the order is complete'];
  if (!isBlank(invoice_number)) errors['invoice_number'] = message;
  if (invoiced_at != null) errors['invoiced_at'] = message;
  if (documents != null) errors['documents'] = message;
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
}

const SYNONYMS = [
  'line_items',
  'payments',
  'shipments',
  'adjustments',
  'bill_address',
  'ship_address',
] as const;

/** @throws InvalidResource if an import has parts that would not be stored */
export function rejectAmbiguous(input: OrderCreateInput): void {
  const errors: FieldErrors = {};
  for (const name of SYNONYMS) {
    if (input[name] !== undefined && input[`${name}_attributes`] !== undefined) {
      errors[name] = [`must be blank if ${name}_attributes is present`];
    }
  }
  const rows = input.line_items_attributes ?? input.line_items ?? [];
  if (rows.some(({ id }) => id != null)) errors['line_items.id'] = ['must be blank'];
  if (rows.some(({ quantity }) => quantity === 0)) errors['line_items.quantity'] = ['must be greater than 0'];
  if (input.invoiced_at != null && isBlank(input.invoice_number)) errors['invoice_number'] = [BLANK];
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
}

/**
 * Notes that another system has made the invoice of an imported order. The documents of the order then begin with that invoice, and
 * none is made.
 * @throws InvalidResource
 */
export async function keepInvoice(
  tx: Tx,
  order: LockedOrder,
  { invoice_number, invoiced_at, documents }: OrderCreateInput,
): Promise<void> {
  const number = isBlank(invoice_number) ? null : invoice_number;
  if (number === null && documents !== false) return;
  if (number !== null && documents === true) {
    throw new InvalidResource({ documents: ['must be blank if the order has an invoice_number'] });
  }
  if (number !== null) await rejectOwnNumber(tx, number);
  const invoice = { number: number ?? order.number, invoiced_at: invoiced_at ?? order.completed_at };
  await insertKeptInvoice(tx, { order_id: order.id, ...invoice });
}

/** Rejects numbers of this store. An invoice of another system may cover several orders, so that its number repeats. */
async function rejectOwnNumber(tx: Tx, number: string): Promise<void> {
  const { is_taken, is_next } = await findOwnNumber(tx, number);
  if (is_taken) throw new InvalidResource({ invoice_number: ['has already been taken'] });
  if (is_next) {
    const message =
      'will be given by this store; change its invoice_prefix, or raise its invoice_start before its first invoice';
    throw new InvalidResource({ invoice_number: [message] });
  }
}
