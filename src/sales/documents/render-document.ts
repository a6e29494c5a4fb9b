import type PDFKit from 'pdfkit';
import { compareDecimals, formatPercent } from '../../platform/money';
import { createFormats, type DocumentFormats } from './document-formats';
import { buildFooter, listAddressLines, listSellerLines } from './document-parties';
import { buildLines } from './document-lines';
import { fitColumn } from './document-columns';
import { DocumentPage, TABLE_WIDTH } from './document-page';
import { DEFAULT_FONT } from './document-fonts';
import { ARCHIVABLE, embedEinvoice, toProperty } from './embed-einvoice';
import { buildEinvoice } from './einvoice-xml';
import type { DocumentRecord, RateSum } from './documents.repository';
import { findReasonLabel } from './tax-free-reason';
import { upgradeDocument } from './legacy-documents';
import { isZero } from './decimal-text';

/**
 * Renders a document as a PDF from what was frozen when it was made. The same document gives the same bytes. It blocks its
 * thread: only `document-worker.ts` calls it.
 */
export async function renderDocument(stored: DocumentRecord, logo: Buffer | null = null): Promise<Buffer> {
  const document = upgradeDocument(stored);
  const formats = createFormats(document.snapshot, document.currency);
  const title = `${formats.label(document.kind)} ${document.number}`;
  return writePdf(document, title, formats, (page) => {
    page.letterhead(listSellerLines(document.snapshot.seller, formats), logo);
    writeHead(page, document, title, formats);
    page.table(...buildLines(page, document, formats));
    writeSums(page, document, formats);
    writeRates(page, document, formats);
    writePayments(page, document, formats);
  });
}

async function writePdf(
  document: DocumentRecord,
  title: string,
  formats: DocumentFormats,
  write: (page: DocumentPage) => void,
): Promise<Buffer> {
  const { snapshot, created_at } = document;
  // It takes 25 MB of memory, which a process that renders no document saves.
  const { default: PDFDocument } = await import('pdfkit');
  const einvoice = hasEinvoice(snapshot) ? buildEinvoice(document, formats) : null;
  const author = snapshot.seller?.legal_name ?? snapshot.seller?.name ?? '';
  const pdf = new PDFDocument({
    size: formats.paper,
    margin: 0,
    bufferPages: true,
    lang: snapshot.locale,
    displayTitle: true,
    // Without it the library names a font that is not embedded.
    font: DEFAULT_FONT,
    ...(einvoice === null ? {} : ARCHIVABLE),
    info: {
      Title: einvoice === null ? title : toProperty(title),
      Author: einvoice === null ? author : toProperty(author),
      CreationDate: created_at,
      ModDate: created_at,
    },
  });
  if (einvoice !== null) embedEinvoice(pdf, einvoice, created_at);
  const content = collect(pdf);
  const page = new DocumentPage(pdf, snapshot.locale, buildFooter(snapshot.seller, formats));
  write(page);
  page.finish((number, pages) => formats.label('page', { page: String(number), pages: String(pages) }));
  pdf.end();
  return content;
}

/** Whether the store embeds electronic invoices; German and French programs read them. */
function hasEinvoice({ einvoice, locale }: DocumentRecord['snapshot']): boolean {
  return einvoice && (locale === 'de' || locale === 'fr');
}

/** Collects the bytes of a PDF until its end. */
export function collect(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    pdf.on('error', reject);
  });
}

function writeHead(
  page: DocumentPage,
  document: DocumentRecord,
  title: string,
  formats: DocumentFormats,
): void {
  const { snapshot, created_at } = document;
  const { label, date } = formats;
  page.blocks([
    { title: label('bill_to'), lines: listAddressLines(snapshot.bill_address, formats) },
    { title: label('ship_to'), lines: listAddressLines(snapshot.ship_address, formats) },
  ]);
  page.title(title);
  const [from, to] = [date(snapshot.supply.from), date(snapshot.supply.to)];
  const { invoice } = snapshot;
  page.facts([
    { name: label('date'), value: date(created_at) },
    from === to
      ? { name: label('supply_date'), value: from }
      : { name: label('supply_period'), value: `${from} – ${to}` },
    { name: label('corrected_invoice'), value: invoice && `${invoice.number}, ${date(invoice.created_at)}` },
    { name: label('order'), value: snapshot.order_number },
    { name: label('order_date'), value: snapshot.completed_at && date(snapshot.completed_at) },
    { name: label('email'), value: snapshot.email },
    { name: label('customer_vat_id'), value: snapshot.vat_id },
    { name: label('refunded_on'), value: snapshot.refunded_at && date(snapshot.refunded_at) },
    {
      name: label('payment'),
      value: snapshot.payment_number && `${snapshot.payment_number}, ${snapshot.payment_method ?? ''}`,
    },
    { name: label('reason'), value: snapshot.reason },
  ]);
}

function writeSums(
  page: DocumentPage,
  { kind, snapshot }: DocumentRecord,
  { label, money }: DocumentFormats,
): void {
  const total = { invoice: 'total', credit_note: 'credited_total', correction: 'corrected_total' } as const;
  const taxed = [
    { label: label('net_total'), amount: money(snapshot.net_total) },
    { label: label('total_tax'), amount: money(snapshot.tax_total) },
  ];
  page.sums(isZero(snapshot.tax_total) ? [] : taxed, {
    label: label(total[kind]),
    amount: money(snapshot.total),
  });
}

/** Whether the name of a tax contains its rate, such as `MwSt 16 %` or `消費税10％`. */
function namesRate(name: string, rate: string): boolean {
  const named = [...name.matchAll(/(\d+(?:[.,]\d+)?)\s*[%％]/g)].map(([, digits = '0']) =>
    digits.replace(',', '.'),
  );
  return named.some((percent) => compareDecimals(percent, formatPercent(rate)) === 0);
}

/**
 * Whether all taxes of a document are rounded once per rate, so that its net amounts may differ from the sums of its lines. Where
 * lines have several taxes, these are added up instead.
 */
function isRoundedOnce({ snapshot, entries }: DocumentRecord): boolean {
  return (
    snapshot.tax_rounding === 'document' &&
    snapshot.rates.some(({ rate }) => rate !== null) &&
    entries.every(({ taxes }) => taxes.length <= 1)
  );
}

function writeRates(page: DocumentPage, document: DocumentRecord, formats: DocumentFormats): void {
  const { snapshot } = document;
  const { label, money, percent } = formats;
  const { rates } = snapshot;
  if (rates.length === 0) return;
  page.heading(label('taxes'), 60 + rates.length * 20);
  const name = ({ rate, name: own, reason, reduced }: RateSum): string => {
    if (rate === null) return label(reason === null ? 'untaxed' : findReasonLabel(snapshot, reason));
    const isNamed = own !== null && namesRate(own, rate);
    return `${own ?? ''}${isNamed ? '' : ` ${percent(rate)}`}${reduced && snapshot.locale === 'ja' ? ' ※' : ''}`.trim();
  };
  const measure = (text: string): number => page.measureCell(text);
  const columns = (['net', 'tax', 'total'] as const).map((amount) => {
    const texts = rates.map((sum) => money(sum[amount]));
    const title = label(amount === 'total' ? 'gross' : amount);
    return {
      texts,
      column: { title, width: fitColumn(texts, { smallest: 90 }, measure), align: 'right' } as const,
    };
  });
  const used = columns.reduce((all, { column }) => all + column.width, 0);
  page.table(
    [
      { title: label('rate'), width: TABLE_WIDTH - used, align: 'left' },
      ...columns.map(({ column }) => column),
    ],
    rates.map((sum, at) => [[name(sum)], ...columns.map(({ texts }) => [texts[at] ?? ''])]),
  );
  if (snapshot.locale === 'ja' && rates.some(({ reduced }) => reduced)) {
    page.paragraph([label('reduced_rate')], { small: true });
  }
  if (isRoundedOnce(document)) page.paragraph([label('rounded_once')], { small: true });
}

/** Names of cards by the type that is stored; others are printed as they are. */
const CARD_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  master: 'Mastercard',
  american_express: 'American Express',
  discover: 'Discover',
  diners_club: 'Diners Club',
  jcb: 'JCB',
  maestro: 'Maestro',
};

function writePayments(
  page: DocumentPage,
  { kind, snapshot }: DocumentRecord,
  { label, money }: DocumentFormats,
): void {
  if (kind !== 'invoice' || snapshot.payments.length === 0) return;
  page.heading(label('payments'), 26 + snapshot.payments.length * 12.5);
  page.paragraph(
    snapshot.payments.map(({ method, card_type, last_digits, state, amount }) => {
      const name = card_type === null ? null : (CARD_NAMES[card_type] ?? card_type);
      const card = [[method, name].filter(Boolean).join(', '), last_digits].filter(Boolean).join(' •••• ');
      return `${card}, ${money(amount)} (${label(`payment_${state}`)})`;
    }),
  );
}
