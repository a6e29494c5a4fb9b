import { z } from 'zod';
import type { Movement, MovementList, Period } from '../gateway';
import { readMoney } from './answers';
import type { PaypalClient } from './client';

/** The longest period of one search. */
const LONGEST_MS = 31 * 24 * 3_600_000;

const Page = z.object({
  total_pages: z.number().default(1),
  transaction_details: z
    .array(
      z.object({
        transaction_info: z.object({
          transaction_id: z.string(),
          transaction_event_code: z.string(),
          transaction_initiation_date: z.string(),
          transaction_updated_date: z.string().optional(),
          transaction_amount: z.object({ currency_code: z.string(), value: z.string() }),
          transaction_status: z.string().default('S'),
          custom_field: z.string().optional(),
        }),
      }),
    )
    .default([]),
});
type Info = z.output<typeof Page>['transaction_details'][number]['transaction_info'];

/** Lists the captures and refunds of a period. PayPal shows them up to three hours late. */
export async function listPaypalMovements(send: PaypalClient, { from, to }: Period): Promise<MovementList> {
  const movements: Movement[] = [];
  for (let start = from; start < to; start = new Date(start.getTime() + LONGEST_MS)) {
    const end = new Date(Math.min(start.getTime() + LONGEST_MS, to.getTime()) - 1);
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = new URLSearchParams({
        start_date: start.toISOString(),
        end_date: end.toISOString(),
        fields: 'transaction_info',
        page_size: '500',
        page: String(page),
      });
      const reply = await send({ method: 'GET', path: `/v1/reporting/transactions?${query.toString()}` });
      const { total_pages, transaction_details } = Page.parse(reply);
      movements.push(
        ...transaction_details.flatMap(({ transaction_info }) => readMovements(transaction_info)),
      );
      pages = total_pages;
    }
  }
  return { movements };
}

/** T00 are payments, T1107 refunds. Fees, transfers and disputes have other codes. */
function readMovements(one: Info): Movement[] {
  const { transaction_event_code: code, transaction_amount: amount, transaction_status: status } = one;
  const isOut = amount.value.startsWith('-');
  const kind = code === 'T1107' && isOut ? 'refund' : code.startsWith('T00') && !isOut ? 'capture' : null;
  // A payment that was refunded is reversed, and has the refund beside it. A refund is reversed when it has failed.
  const isReversed = status === 'V';
  if (kind === null || !(status === 'S' || isReversed)) return [];
  const { transaction_initiation_date: begun, transaction_updated_date: updated = begun } = one;
  const moved: Movement = {
    kind,
    payment_number: one.custom_field ?? null,
    reference: one.transaction_id,
    amount: readMoney(amount.value),
    currency: amount.currency_code,
    moved_at: new Date(begun),
  };
  return kind === 'refund' && isReversed
    ? [moved, { ...moved, kind: 'failed_refund', moved_at: new Date(updated) }]
    : [moved];
}
