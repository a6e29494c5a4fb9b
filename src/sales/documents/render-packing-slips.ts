import { sumQuantities } from '../../platform/quantities';
import { createFormats, type DocumentFormats } from './document-formats';
import { buildFooter, listAddressLines, listSellerLines } from './document-parties';
import { DocumentPage, TABLE_WIDTH } from './document-page';
import type { PackingSlip, PackingSlips } from './packing-slips.repository';
import { collect } from './render-document';

/** Renders packing slips as one PDF. Each begins a page. It blocks its thread: only `document-worker.ts` calls it. */
export async function renderPackingSlips(
  { settings, slips }: PackingSlips,
  logo: Buffer | null = null,
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const formats = createFormats(settings, 'USD');
  const title = formats.label('packing_slip');
  const pdf = new PDFDocument({
    size: formats.paper,
    margin: 0,
    bufferPages: true,
    lang: settings.locale,
    displayTitle: true,
    info: { Title: title, Author: settings.seller?.name ?? '' },
  });
  const content = collect(pdf);
  const page = new DocumentPage(pdf, settings.locale, buildFooter(settings.seller, formats));
  slips.forEach((slip, index) => {
    if (index > 0) page.beginNext();
    page.letterhead(listSellerLines(settings.seller, formats), logo);
    writeSlip(page, slip, formats);
  });
  page.finish((number, pages) => formats.label('page', { page: String(number), pages: String(pages) }));
  pdf.end();
  return content;
}

function writeSlip(page: DocumentPage, slip: PackingSlip, formats: DocumentFormats): void {
  const { label, date } = formats;
  page.blocks([
    { title: label('ship_to'), lines: listAddressLines(slip.ship_address, formats) },
    { title: label('ships_from'), lines: [slip.stock_location] },
  ]);
  page.title(`${label('packing_slip')} ${slip.number}`);
  page.facts([
    { name: label('order'), value: slip.order_number },
    { name: label('order_date'), value: slip.completed_at && date(slip.completed_at) },
    { name: label('date'), value: slip.shipped_at && date(slip.shipped_at) },
    { name: label('shipping_method'), value: slip.method },
    { name: label('tracking'), value: slip.tracking },
    { name: label('instructions'), value: slip.instructions },
  ]);
  page.table(
    [
      { title: label('item'), width: TABLE_WIDTH - 190, align: 'left' },
      { title: label('sku'), width: 120, align: 'left' },
      { title: label('quantity'), width: 70, align: 'right' },
    ],
    slip.lines.map(({ name, options, sku, quantity }) => [
      [name, ...(options === null ? [] : [options])],
      [sku],
      [String(quantity)],
    ]),
  );
  const units = sumQuantities(slip.lines);
  page.sums([], { label: label('units'), amount: String(units) });
}
