import type { DocumentLabel } from '../../accounts/stores/document-labels';
import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import type { Language } from '../../platform/languages';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { documentSearch } from './documents.search';
import type { DateFormat } from '../../platform/calendar';

export const DOCUMENT_KINDS = ['invoice', 'correction', 'credit_note'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** An address as it was printed. `country_iso` is missing in documents of earlier versions. */
export interface PrintedAddress {
  firstname: string;
  lastname: string;
  company: string | null;
  address1: string;
  address2: string | null;
  zipcode: string;
  city: string;
  state: string | null;
  /** Unknown in documents of earlier versions, and of states that the store does not know. */
  state_name?: string | null;
  country: string;
  country_iso?: string;
}

/** The store that issued a document. Only `name`, `url`, `email` and `issuer` are known of earlier versions. */
export interface PrintedSeller {
  name: string;
  url: string;
  email: string;
  issuer: string | null;
  legal_name?: string | null;
  address1?: string | null;
  address2?: string | null;
  zipcode?: string | null;
  city?: string | null;
  state?: string | null;
  country_iso?: string | null;
  phone?: string | null;
  tax_number?: string | null;
  vat_id?: string | null;
  bank?: string | null;
  iban?: string | null;
  bic?: string | null;
  footer?: string | null;
  /** The hash of the logo. */
  logo?: string | null;
}

export type TaxFreeReason = 'export' | 'exempt' | 'no_zone';

export interface PrintedTax {
  source: number | null;
  /** A fraction as decimal string. */
  rate: string;
  included: boolean;
  name: string;
  /** A higher rate applies in the same zone. */
  reduced: boolean;
  amount: string;
}

/** A line of a document. Amounts are decimal strings, negative for what the customer gets back. */
export interface DocumentEntry {
  key: string;
  kind: 'line' | 'freight' | 'adjustment' | 'tax' | 'return' | 'refund' | 'difference';
  label: string | null;
  sku: string | null;
  options: string | null;
  /** Missing in documents of earlier versions. */
  line_item_id?: number | null;
  /** The number of units, or by how many they changed. */
  quantity: number | null;
  price: string | null;
  /** Zero or negative. */
  discount: string;
  /** Included taxes that are not charged, because the order is sent abroad; zero or negative, of returns zero or positive. */
  relief: string;
  net: string;
  taxes: PrintedTax[];
  tax: string;
  total: string;
  reason: TaxFreeReason | null;
  /** The taxed adjustments that staff made of it; their sum is part of `discount`. Missing without any. */
  charges?: { label: string; amount: string }[];
  /** Of a correction: the units and the price since the change and before. */
  held?: { quantity: number; price: string | null };
  was?: { quantity: number; price: string | null };
}

/** Net, tax and total of one rate, or of what is not taxed. */
export interface RateSum {
  rate: string | null;
  name: string | null;
  reason: TaxFreeReason | null;
  reduced: boolean;
  included: boolean;
  net: string;
  tax: string;
  total: string;
}

/** What every document prints beside its entries. Times are ISO 8601, amounts are decimal strings. */
export interface DocumentSnapshot {
  /** Missing in documents of the version before, which have no entries. */
  version?: 2;
  seller: PrintedSeller | null;
  locale: Language;
  texts: Partial<Record<DocumentLabel, string>>;
  date_format: DateFormat;
  time_zone: string;
  /** Whether taxes are rounded for each line, or once per rate. Missing in documents of the version before. */
  tax_rounding?: 'line' | 'document';
  einvoice: boolean;
  order_number: string;
  completed_at: string | null;
  email: string | null;
  vat_id: string | null;
  bill_address: PrintedAddress | null;
  ship_address: PrintedAddress | null;
  /** The invoice that the document corrects; null on invoices. */
  invoice: { number: string; created_at: string } | null;
  supply: { from: string; to: string };
  payments: {
    number: string;
    method: string;
    card_type: string | null;
    last_digits: string | null;
    state: 'pending' | 'completed';
    amount: string;
  }[];
  rates: RateSum[];
  net_total: string;
  tax_total: string;
  total: string;
  /** Of the credit note of a refund. */
  reason?: string | null;
  payment_number?: string;
  payment_method?: string;
  refunded_at?: string;
}

/** A document, without what it prints. */
export interface DocumentRow {
  id: number;
  /** Null of an invoice that another system made; there is no PDF of it. */
  sequence: number | null;
  kind: DocumentKind;
  number: string;
  total: string;
  created_at: Date;
}

/** A document with what it prints. */
export interface DocumentRecord extends DocumentRow {
  currency: string;
  entries: DocumentEntry[];
  snapshot: DocumentSnapshot;
}

/** A document in the list of all. */
export interface ListedDocument extends DocumentRow {
  order_number: string;
  email: string | null;
  currency: string;
  net_total: string;
  tax_total: string;
}

const COLUMNS = ['id', 'sequence', 'kind', 'number', 'total', 'created_at'] as const;

/** Returns the documents of an order, the invoice first, also if another system made it. */
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
  return db('documents')
    .where({ order_id: orderId, ...which })
    .whereNotNull('sequence')
    .first<DocumentRecord | undefined>(...COLUMNS, 'currency', 'entries', 'snapshot');
}

/** The documents that the store made. */
const ownDocuments = (db: Db) => db('documents').whereNotNull('documents.sequence');

const selectListed = (db: Db) => (documents: Knex.QueryBuilder) =>
  documents
    .join('orders AS sold', 'sold.id', 'documents.order_id')
    .select<ListedDocument[]>(
      ...COLUMNS.map((column) => `documents.${column}`),
      'documents.currency',
      'sold.number AS order_number',
      'sold.email',
      db.raw(`coalesce(documents.snapshot ->> 'net_total', documents.total::text) AS net_total`),
      db.raw(`coalesce(documents.snapshot ->> 'tax_total', '0') AS tax_total`),
    );

/** Returns one page of the documents of all orders. */
export async function findDocumentPage(db: Db, list: ListQuery): Promise<Page<ListedDocument>> {
  const matching = applyFilters(ownDocuments(db), list, documentSearch);
  return findRowPage(db, { matching, select: selectListed(db) }, list, documentSearch);
}

/** Returns the next documents that match a list, by id; its sorting and paging are ignored. */
export async function findNextDocuments(
  db: Db,
  list: ListQuery,
  { after, size }: { after: number; size: number },
): Promise<ListedDocument[]> {
  const matching = applyFilters(ownDocuments(db), list, documentSearch);
  return selectListed(db)(matching.where('documents.id', '>', after).orderBy('documents.id').limit(size));
}

/** Returns the ids of the documents that match a list, at most one more than `limit`. */
export async function findDocumentIds(db: Db, list: ListQuery, limit: number): Promise<number[]> {
  return applyFilters(ownDocuments(db), list, documentSearch)
    .orderBy('documents.id')
    .limit(limit + 1)
    .pluck<number[]>('documents.id');
}

/** Returns a document by its id. */
export async function findDocumentById(db: Db, id: number): Promise<DocumentRecord | undefined> {
  return db('documents')
    .where({ id })
    .first<DocumentRecord | undefined>(...COLUMNS, 'currency', 'entries', 'snapshot');
}
