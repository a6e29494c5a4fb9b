import { formatDecimal } from '../../platform/money';
import type { DocumentRow, ListedDocument } from './documents.repository';
import type { DocumentJson, ListedDocumentJson } from './documents.schema';

/** Serializes a document of the order with this number. */
export function serializeDocument(document: DocumentRow, orderNumber: string): DocumentJson {
  return {
    kind: document.kind,
    number: document.number,
    created_at: document.created_at.toISOString(),
    total: formatDecimal(document.total),
    url:
      document.sequence === null
        ? null
        : `/api/v1/orders/${encodeURIComponent(orderNumber)}/documents/${document.id}.pdf`,
  };
}

/** Serializes a document in the list of all. */
export function serializeListedDocument(document: ListedDocument): ListedDocumentJson {
  const { order_number, email, currency, net_total, tax_total } = document;
  return {
    ...serializeDocument(document, order_number),
    order_number,
    email,
    currency,
    net_total: formatDecimal(net_total),
    tax_total: formatDecimal(tax_total),
  };
}
