import { z } from 'zod';
import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { DocumentJson, ListedDocumentJson } from './documents.schema';
import { documentSearch } from './documents.search';
import { serializeDocument, serializeListedDocument } from './documents.serializer';
import {
  exportDocuments,
  listAllDocuments,
  MAX_ZIPPED_DOCUMENTS,
  zipDocuments,
} from './all-documents.service';
import { getDocumentFile, listDocuments } from './documents.service';

const OrderParams = z.object({ number: PathName });

export function documentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Documents', 'orders');

  endpoint(router, 'get /orders/:number/documents', {
    access: 'order',
    summary: 'List the invoice, the corrections and the credit notes of an order',
    description:
      'The invoice is made when the order completes, a correction when a complete order is changed, a credit note at returns, cancellations and refunds of what no document took back before. They never change; invoice + corrections - credit notes are the order. Returns 404 until the order is complete.',
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
    summary: 'Get a document of an order as PDF',
    description:
      'The list of documents contains the URL. Documents keep the language and the formats that the store had when they were issued.',
    params: OrderParams.extend({ id: PathId }),
    private: true,
    file: 'application/pdf',
    handle: (ctx, { params }) => getDocumentFile(ctx, params.number, { id: params.id }),
  });
  addListOfAll(router);
  return router;
}

function addListOfAll(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /documents', {
    access: 'admin',
    scope: 'reports:read',
    summary: 'List the invoices, corrections and credit notes of all orders',
    description:
      'By id. `q` finds them by number, kind, total, time, and by the number or e-mail address of the order.',
    search: documentSearch,
    private: true,
    paged: { key: 'documents', item: ListedDocumentJson },
    handle: async (ctx, { list }) => mapPage(await listAllDocuments(ctx, list), serializeListedDocument),
  });
  endpoint(router, 'get /documents.csv', {
    access: 'admin',
    scope: 'reports:read',
    summary: 'Export the list of documents as CSV',
    description:
      'Filtered by `q`, ordered by id; pages and sorting are ignored. Credit notes have positive amounts.',
    search: documentSearch,
    private: true,
    file: 'text/csv; charset=utf-8',
    isStreamed: true,
    handle: (ctx, { list }) =>
      Promise.resolve({ name: 'documents.csv', content: exportDocuments(ctx, list) }),
  });
  endpoint(router, 'get /documents.zip', {
    access: 'admin',
    scope: 'reports:read',
    summary: 'Get the PDFs of documents as one file',
    description: `Filtered by \`q\`, ordered by id. Returns 422 if more than ${MAX_ZIPPED_DOCUMENTS} match.`,
    search: documentSearch,
    private: true,
    file: 'application/zip',
    isStreamed: true,
    handle: async (ctx, { list }) => ({ name: 'documents.zip', content: await zipDocuments(ctx, list) }),
  });
}
