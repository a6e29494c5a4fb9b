import { formatDate } from '../../platform/calendar';
import { displayMoney } from '../../platform/money';
import { DocumentPage } from './document-page';
import type { DocumentRecord, InvoiceSnapshot, PrintedAddress } from './documents.repository';

/**
 * Renders a document as a PDF from what was frozen when it was made. The same document gives the same bytes. It blocks its
 * thread: only `document-worker.ts` calls it.
 */
export async function renderDocument(document: DocumentRecord): Promise<Buffer> {
  // It takes 25 MB of memory, which a process that renders no document saves.
  const { default: PDFDocument } = await import('pdfkit');
  const { snapshot, created_at } = document;
  const title = `${document.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${document.number}`;
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 50,
    info: {
      Title: title,
      Author: snapshot.seller?.name ?? '',
      CreationDate: created_at,
      ModDate: created_at,
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    pdf.on('error', reject);
  });
  const page = new DocumentPage(pdf);
  writeHead(page, document, title);
  if (document.kind === 'invoice') writeInvoice(page, document.snapshot, createFormats(document));
  else writeCreditNote(page, document);
  pdf.end();
  return done;
}

interface Formats {
  money: (amount: string) => string;
  date: (time: Date | string) => string;
}

function createFormats({ currency, snapshot: { format } }: DocumentRecord): Formats {
  const dates = {
    format: format?.date_format ?? 'YYYY-MM-DD',
    timeZone: format?.time_zone ?? 'UTC',
  } as const;
  return {
    money: (amount) => displayMoney(amount, { currency, money_format: format }),
    date: (time) => formatDate(new Date(time), dates),
  };
}

function writeHead(page: DocumentPage, document: DocumentRecord, title: string): void {
  const { snapshot, created_at } = document;
  const { date } = createFormats(document);
  const seller = snapshot.seller;
  if (seller !== null) page.lines([seller.issuer ?? seller.name, seller.url, seller.email]);
  page.title(title);
  page.facts([
    ['Date', date(created_at)],
    ['Order', snapshot.order_number],
    ['Order date', snapshot.completed_at === null ? null : date(snapshot.completed_at)],
    ['Invoice', document.kind === 'invoice' ? null : document.invoice_number],
    ['E-mail', snapshot.email],
  ]);
  page.block('Bill to', listAddressLines(snapshot.bill_address));
  if (document.kind === 'invoice') page.block('Ship to', listAddressLines(document.snapshot.ship_address));
}

function listAddressLines(address: PrintedAddress | null): string[] {
  if (address === null) return [];
  const { firstname, lastname, company, address1, address2, zipcode, city, state, country } = address;
  const place = [zipcode, city, state].filter((part) => part !== null && part !== '').join(' ');
  return [`${firstname} ${lastname}`, company, address1, address2, place, country].filter(
    (line): line is string => line !== null && line.trim() !== '',
  );
}

function writeInvoice(page: DocumentPage, snapshot: InvoiceSnapshot, { money }: Formats): void {
  page.table(
    snapshot.lines.map(({ sku, name, options, quantity, price, amount }) => [
      [name, options, sku].filter((part) => part !== null && part !== '').join(', '),
      String(quantity),
      money(price),
      money(amount),
    ]),
  );
  page.sum('Items', money(snapshot.item_total));
  page.sum('Shipping', money(snapshot.ship_total));
  for (const { label, amount } of snapshot.charges.filter(({ included }) => !included)) {
    page.sum(label, money(amount));
  }
  page.sum('Total', money(snapshot.total), { isTotal: true });
  for (const { label, amount } of snapshot.charges.filter(({ included }) => included)) {
    page.sum(`Included: ${label}`, money(amount));
  }
}

function writeCreditNote(page: DocumentPage, document: DocumentRecord & { kind: 'credit_note' }): void {
  const { snapshot } = document;
  const { money, date } = createFormats(document);
  page.facts([
    ['Refunded on', date(snapshot.refunded_at)],
    ['Payment', `${snapshot.payment_number}, ${snapshot.payment_method}`],
    ['Reason', snapshot.reason],
  ]);
  page.sum('Credited', money(snapshot.total), { isTotal: true });
}
