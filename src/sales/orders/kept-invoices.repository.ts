import type { Tx } from '../../platform/database/transaction';

/** Notes the invoice of an imported order that another system has made. */
export async function insertKeptInvoice(
  tx: Tx,
  invoice: { order_id: number; number: string; invoiced_at: Date | null },
): Promise<void> {
  await tx('kept_invoices').insert(invoice);
}
