import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { INSERT_CREDIT_NOTE, INSERT_INVOICE } from './document-sql';

/*
 * Documents get their numbers from a trigger at the commit of their transaction. So the counter is locked after
 * everything else and only briefly, and a transaction that fails uses no number.
 */

/**
 * Makes the invoice of an order from its rows, which must be stored and complete. An order has one invoice; calls after the
 * first do nothing. Does not wait for other transactions before the commit. One statement.
 */
export async function issueInvoice(tx: Tx, { id }: { id: number }): Promise<void> {
  await queryPrepared(tx, INSERT_INVOICE, [id]);
}

/** Makes the credit note of a new refund. A refund has one. One statement. */
export async function issueCreditNote(tx: Tx, refundId: number): Promise<void> {
  await queryPrepared(tx, INSERT_CREDIT_NOTE, [refundId]);
}
