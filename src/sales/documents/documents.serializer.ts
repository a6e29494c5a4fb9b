import { formatDecimal } from '../../platform/money';
import type { DocumentRow } from './documents.repository';
import type { DocumentJson } from './documents.schema';

/** Serializes a document of the order with this number. */
export function serializeDocument(document: DocumentRow, orderNumber: string): DocumentJson {
  return {
    kind: document.kind,
    number: document.number,
    created_at: document.created_at.toISOString(),
    total: formatDecimal(document.total),
    url: `/api/v1/orders/${encodeURIComponent(orderNumber)}/documents/${document.id}.pdf`,
  };
}
