import { z } from 'zod';
import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { DocumentJson } from './documents.schema';
import { serializeDocument } from './documents.serializer';
import { getDocumentFile, listDocuments } from './documents.service';

const OrderParams = z.object({ number: PathName });

export function documentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Documents', 'orders');

  endpoint(router, 'get /orders/:number/documents', {
    access: 'order',
    summary: 'List the invoice and the credit notes of an order',
    description:
      'The invoice is made when the order completes, a credit note at every refund. They never change. Returns 404 until the order is complete.',
    params: OrderParams,
    private: true,
    reply: z.object({ documents: z.array(DocumentJson) }),
    handle: async (ctx, { params }) => ({
      documents: (await listDocuments(ctx, params.number)).map((row) =>
        serializeDocument(row, params.number),
      ),
    }),
  });
  endpoint(router, 'get /orders/:number/invoice.pdf', {
    access: 'order',
    summary: 'Get the invoice of an order as PDF',
    description: 'Returns 404 until the order is complete.',
    params: OrderParams,
    private: true,
    file: 'application/pdf',
    handle: (ctx, { params }) => getDocumentFile(ctx, params.number, { kind: 'invoice' }),
  });
  endpoint(router, 'get /orders/:number/documents/:id.pdf', {
    access: 'order',
    summary: 'Get an invoice or a credit note as PDF',
    description:
      'The list of documents contains the URL. Amounts and dates have the format of the store at the time.',
    params: OrderParams.extend({ id: PathId }),
    private: true,
    file: 'application/pdf',
    handle: (ctx, { params }) => getDocumentFile(ctx, params.number, { id: params.id }),
  });
  return router;
}
