import type { Tx } from '../../platform/database/transaction';

/** Notes the invoice of an imported order that another system has made. */
export async function insertKeptInvoice(
  tx: Tx,
  invoice: { order_id: number; number: string; invoiced_at: Date | null },
): Promise<void> {
  await tx('kept_invoices').insert(invoice);
}

/**
 * Returns whether a document of this store has the number (`is_taken`), and whether a future invoice will get it in the series of the
 * current settings (`is_next`), or in that of a later year.
 */
export async function findOwnNumber(
  tx: Tx,
  number: string,
): Promise<{ is_taken: boolean; is_next: boolean }> {
  const [found] = await tx.query<{ is_taken: boolean; is_next: boolean }>(FIND_OWN_NUMBER, [number]);
  return found ?? { is_taken: false, is_next: false };
}

/** Expects the format of `add_document`: the series and at least six digits. */
const FIND_OWN_NUMBER = {
  name: 'find_own_document_number',
  sql: `WITH sent AS (SELECT ?::text AS number)
    SELECT EXISTS (SELECT FROM documents WHERE upper(documents.number) = upper(sent.number) AND sequence IS NOT NULL) AS is_taken,
           EXISTS (
             SELECT FROM stores
              CROSS JOIN LATERAL (
                SELECT invoice_prefix || CASE WHEN document_numbers_yearly
                         THEN greatest(to_char(now() AT TIME ZONE time_zone, 'YYYY'),
                                       substring(substr(sent.number, length(invoice_prefix) + 1) FROM '^([0-9]{4})-')) || '-'
                         ELSE '' END AS name) series
               LEFT JOIN document_counters counter
                 ON counter.store_id = stores.id AND counter.kind = 'invoice' AND counter.series = series.name
              WHERE is_default AND starts_with(sent.number, series.name)
                AND substr(sent.number, length(series.name) + 1) ~ '^(0[0-9]{5}|[1-9][0-9]{5,8})$'
                AND CASE WHEN substr(sent.number, length(series.name) + 1) ~ '^[0-9]{6,9}$'
                         THEN substr(sent.number, length(series.name) + 1)::integer END
                    > coalesce(counter.last_sequence, invoice_start - 1)) AS is_next
      FROM sent`,
};
