import type { Db } from '../../platform/database/knex';
import type { DateFormat } from '../../platform/calendar';
import type { MoneyFormat } from '../../platform/money';

export type DocumentKind = 'invoice' | 'credit_note';

/** An address as it was printed. */
export interface PrintedAddress {
  firstname: string;
  lastname: string;
  company: string | null;
  address1: string;
  address2: string | null;
  zipcode: string;
  city: string;
  state: string | null;
  country: string;
}

/** What both kinds of documents print. Times are ISO 8601, amounts are decimal strings. */
interface PrintedOrder {
  /** Null if there was no store. */
  seller: { name: string; url: string; email: string; issuer: string | null } | null;
  format: (MoneyFormat & { date_format: DateFormat; time_zone: string }) | null;
  order_number: string;
  /** Null on the credit note of an order that was not complete. */
  completed_at: string | null;
  email: string | null;
  bill_address: PrintedAddress | null;
  total: string;
}

export interface InvoiceSnapshot extends PrintedOrder {
  ship_address: PrintedAddress | null;
  lines: {
    line_item_id: number;
    sku: string;
    name: string;
    options: string | null;
    quantity: number;
    price: string;
    amount: string;
  }[];
  /** Discounts, taxes and other adjustments by label; included ones are part of the prices. */
  charges: { label: string; included: boolean; amount: string }[];
  item_total: string;
  ship_total: string;
  adjustment_total: string;
}

export interface CreditNoteSnapshot extends PrintedOrder {
  reason: string | null;
  payment_number: string;
  payment_method: string;
  refunded_at: string;
}

/** A document, without what it prints. */
export interface DocumentRow {
  id: number;
  kind: DocumentKind;
  number: string;
  total: string;
  created_at: Date;
}

/** A document with what it prints. */
export type DocumentRecord = Omit<DocumentRow, 'kind'> & {
  currency: string;
  /** The number of the order's invoice; null if there is none. */
  invoice_number: string | null;
} & ({ kind: 'invoice'; snapshot: InvoiceSnapshot } | { kind: 'credit_note'; snapshot: CreditNoteSnapshot });

const COLUMNS = ['id', 'kind', 'number', 'total', 'created_at'] as const;

/** Returns the documents of an order, the invoice first. */
export async function findDocuments(db: Db, orderId: number): Promise<DocumentRow[]> {
  return db('documents')
    .where({ order_id: orderId })
    .orderByRaw(`kind = 'invoice' DESC, id`)
    .select<DocumentRow[]>(COLUMNS);
}

/** Returns a document of an order by its id, or its invoice. */
export async function findDocument(
  db: Db,
  orderId: number,
  which: { id: number } | { kind: 'invoice' },
): Promise<DocumentRecord | undefined> {
  const invoice = db('documents as invoice').where({
    'invoice.order_id': orderId,
    'invoice.kind': 'invoice',
  });
  return db('documents')
    .where({ order_id: orderId, ...which })
    .first<DocumentRecord | undefined>(
      ...COLUMNS,
      'currency',
      'snapshot',
      invoice.select('number').as('invoice_number'),
    );
}
