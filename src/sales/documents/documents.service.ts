import type { Ctx } from '../context';
import { NotFound } from '../../platform/errors';
import { getAuthorizedOrder } from '../order/order-access';
import { getDocumentContent } from './document-files';
import { findDocument, findDocuments, type DocumentRow } from './documents.repository';

/** A document as a PDF file. */
export interface DocumentFile {
  name: string;
  content: Buffer;
}

/**
 * Returns the documents of an order that was completed, the invoice first.
 * @throws NotFound, also for an order that is not complete; NotAuthorized
 */
export async function listDocuments(ctx: Ctx, number: string): Promise<DocumentRow[]> {
  return findDocuments(ctx.db, await getSoldOrderId(ctx, number));
}

/** Returns the PDF of a document of an order. @throws NotFound, NotAuthorized, Unavailable */
export async function getDocumentFile(
  ctx: Ctx,
  number: string,
  which: { id: number } | { kind: 'invoice' },
): Promise<DocumentFile> {
  const document = await findDocument(ctx.db, await getSoldOrderId(ctx, number), which);
  if (document === undefined) throw new NotFound();
  return { name: `${document.number}.pdf`, content: await getDocumentContent(ctx, document) };
}

async function getSoldOrderId(ctx: Ctx, number: string): Promise<number> {
  const order = await getAuthorizedOrder(ctx, number);
  if (order.completed_at === null) throw new NotFound();
  return order.id;
}
