import { renderDocument } from '../../src/sales/documents/render-document';
import { aDocument, anEntry, GERMAN_SELLER } from '../support/documents.factory';
import { openPdf, type PdfContents } from '../support/pdf';

/** Where documents print their texts. */

type Placed = PdfContents['places'][number][number];

/** A margin in points, and that of the footer. */
const [LEFT, RIGHT, BOTTOM, TOP] = [50, 545, 20, 842 - 20];

/** Half a line of the smallest text. */
const CLOSE = 4.5;

const isPrinted = ({ text }: Placed): boolean => text.trim() !== '';

function listCollisions(texts: readonly Placed[]): [string, string][] {
  return texts.flatMap((one, at) =>
    texts
      .slice(at + 1)
      .filter((other) => Math.abs(other.y - one.y) < CLOSE)
      .filter((other) => other.left < one.right - 0.5 && one.left < other.right - 0.5)
      .map((other): [string, string] => [one.text, other.text]),
  );
}

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);

test.each([
  [1, 2],
  [7, 2],
  [24, 4],
  [61, 7],
])('no text of %d lines leaves one of %d pages or covers another', async (count, pages) => {
  const entries = Array.from({ length: count }, (_, at) =>
    anEntry({
      key: `line:${at}`,
      label: at % 3 === 0 ? LONG : `Artikel ${at}`,
      options: at % 5 === 0 ? `Farbe: ${'Natur '.repeat(30)}` : null,
      discount: '-1.00',
      rate: at % 2 === 0 ? '0.19' : '0.07',
    }),
  );
  const payments = ['P1', 'P2'].map((number) => ({
    number,
    method: 'Kreditkarte',
    card_type: 'visa',
    last_digits: '1111',
    state: 'completed' as const,
    amount: '119.00',
  }));
  const seller = { ...GERMAN_SELLER, footer: 'Amtsgericht Charlottenburg '.repeat(12) };
  const snapshot = { payments, seller, vat_id: 'DE987654321', reason: 'Nachbestellung '.repeat(12) };
  const { places } = await openPdf(await renderDocument(aDocument(entries, { snapshot })));
  expect(places).toHaveLength(pages);
  for (const page of places) {
    const texts = page.filter(isPrinted);
    // Lines break at spaces.
    for (const { text } of texts.filter((one) => one.text.includes('Natur')))
      expect(text.trim()).toMatch(/^(Farbe: )?Natur( Natur)*( , Artikelnummer)?$/);
    expect(listCollisions(texts)).toEqual([]);
    for (const { left, right, y } of texts) {
      expect([left >= LEFT, right <= RIGHT, y >= BOTTOM, y <= TOP]).toEqual([true, true, true, true]);
    }
  }
});

test.each([
  ['ja', 'JPY', '123456789012', ['￥123,456,789,012', '-￥12,345,678,901', '￥110,231,018,819']],
  ['de', 'EUR', '98765432109.87', ['98.765.432.109,87 €']],
] as const)(
  'in %s amounts of %s above 100 million stay on one line and apart',
  async (locale, currency, price, printed) => {
    const entry = anEntry({
      price,
      discount: '-12345678901',
      net: '110231018819',
      tax: '882',
      quantity: 1000,
    });
    const sums = { net: '110231018819', tax: '11023101882', total: '123456789012' };
    const rate = { ...sums, rate: '0.1', name: 'Tax', reason: null, reduced: false, included: true };
    const totals = { net_total: sums.net, tax_total: sums.tax, total: sums.total };
    const document = aDocument([entry], { currency, snapshot: { locale, rates: [rate], ...totals } });
    const { places } = await openPdf(await renderDocument(document));
    const texts = places.flat().filter(isPrinted);
    const written = texts.map(({ text }) => text.replaceAll('\u00a0', ' '));
    for (const amount of printed) expect(written).toContain(amount);
    expect(listCollisions(texts)).toEqual([]);
  },
);
