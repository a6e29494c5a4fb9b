import { createFormats } from '../../../src/sales/documents/document-formats';
import { buildLines } from '../../../src/sales/documents/document-lines';
import type { DocumentPage } from '../../../src/sales/documents/document-page';
import {
  buildFooter,
  listAddressLines,
  listSellerLines,
} from '../../../src/sales/documents/document-parties';
import type { DocumentRecord, DocumentSnapshot } from '../../../src/sales/documents/documents.repository';
import { listLines, sumCategories, twoDecimals } from '../../../src/sales/documents/einvoice-lines';
import { buildEinvoice } from '../../../src/sales/documents/einvoice-xml';
import { upgradeDocument } from '../../../src/sales/documents/legacy-documents';
import { aDocument, anEntry, AN_ADDRESS, GERMAN_SELLER } from '../../support/documents.factory';

/** What documents print, before it is on a page. */

const formatsOf = ({ snapshot, currency }: DocumentRecord) => createFormats(snapshot, currency);

const formatsFor = (snapshot: Partial<DocumentSnapshot>) => formatsOf(aDocument([], { snapshot }));

/** The columns and rows of a document, on a page where each character is six points wide. */
function linesOf(document: DocumentRecord): { titles: string[]; rows: string[][]; widths: number[] } {
  const page = { measureCell: (text: string) => text.length * 6 } as DocumentPage;
  const [columns, rows] = buildLines(page, document, formatsOf(document));
  return {
    titles: columns.map(({ title }) => title),
    rows: rows.map((cells) => cells.map((lines) => lines.join(' | ').replaceAll('\u00a0', ' '))),
    widths: columns.map(({ width }) => width),
  };
}

test.each([
  ['US', 'LETTER'],
  ['CA', 'LETTER'],
  ['DE', 'A4'],
  [null, 'A4'],
])('the paper of a seller in %s is %s', (country_iso, paper) => {
  expect(formatsFor({ seller: { ...GERMAN_SELLER, country_iso } }).paper).toBe(paper);
});

test.each([
  ['en', '19%'],
  ['ja', '19%'],
  ['it', '19%'],
  ['nl', '19%'],
  ['de', '19 %'],
  ['fr', '19 %'],
] as const)('a rate in %s is written %s', (locale, text) => {
  expect(formatsFor({ locale }).percent('0.19').replaceAll('\u00a0', ' ')).toBe(text);
});

test.each([
  ['en', 'US', 'USD', '$1,234.50'],
  ['en', 'US', 'CAD', 'CA$1,234.50'],
  ['ja', 'JP', 'JPY', '￥1,235'],
  ['ja', 'JP', 'CNY', '元 1,234.50'],
] as const)('a document in %s of a seller in %s shows amounts in %s as %s', (...of) => {
  const [locale, country_iso, currency, text] = of;
  const { money } = createFormats(
    aDocument([], { snapshot: { locale, seller: { ...GERMAN_SELLER, country_iso } } }).snapshot,
    currency,
  );
  expect(money('1234.50').replaceAll('\u00a0', ' ')).toBe(text);
});

test('countries are named in the language of the document; one without a code as it is stored', () => {
  const { country, sellerCountry } = formatsFor({ locale: 'de' });
  const unknown = { ...AN_ADDRESS };
  delete unknown.country_iso;
  expect([country(AN_ADDRESS), country(unknown), sellerCountry]).toEqual([
    'Deutschland',
    'Germany',
    'Deutschland',
  ]);
  expect(formatsFor({ seller: null }).sellerCountry).toBeNull();
});

describe('addresses', () => {
  const de = formatsFor({ locale: 'de' });
  const ja = formatsFor({ locale: 'ja' });

  test('have the order of their country', () => {
    expect(listAddressLines(null, de)).toEqual([]);
    expect(listAddressLines({ ...AN_ADDRESS, company: 'Muster GmbH', address2: 'Hof' }, de)).toEqual([
      'Muster GmbH',
      'Erika Mustermann',
      'Heidestraße 17',
      'Hof',
      '51147 Köln',
      'Deutschland',
    ]);
    const maryland = {
      country_iso: 'US',
      city: 'Bethesda',
      state: 'MD',
      state_name: 'Maryland',
      zipcode: '20814',
    };
    expect(listAddressLines({ ...AN_ADDRESS, ...maryland }, de).slice(-2)).toEqual([
      'Bethesda, MD 20814',
      'Vereinigte Staaten',
    ]);
    const italian = { ...AN_ADDRESS, country_iso: 'IT', city: 'Roma', state: 'RM', zipcode: '00184' };
    expect(listAddressLines(italian, de).slice(-2)).toEqual(['00184 Roma, RM', 'Italien']);
  });

  test('in Japanese address companies and people', () => {
    const address = {
      ...AN_ADDRESS,
      firstname: '太郎',
      lastname: '山田',
      country_iso: 'JP',
      zipcode: '1000005',
      state: '13',
      city: '千代田区',
    };
    expect(listAddressLines(address, ja)).toEqual([
      '〒100-0005',
      '東京都 千代田区',
      'Heidestraße 17',
      '山田 太郎 様',
      '日本',
    ]);
    for (const zipcode of ['〒100-0005', '〒 １０００００５', '100 0005'])
      expect(listAddressLines({ ...address, zipcode }, ja)[0]).toBe('〒100-0005');
    expect(listAddressLines({ ...address, company: '和紙屋' }, ja).slice(3, 5)).toEqual([
      '和紙屋 御中',
      '山田 太郎 様',
    ]);
    expect(listAddressLines({ ...address, company: '和紙屋' }, de).slice(3, 5)).toEqual([
      '和紙屋',
      '山田 太郎',
    ]);
    // The code of a department is a number too.
    const french = { ...AN_ADDRESS, country_iso: 'FR', state: '75', state_name: 'Paris' };
    expect(listAddressLines(french, ja)).toContain('51147 Köln, Paris');
  });
});

test('the letterhead of a seller without a legal name is its name or the lines of its issuer', () => {
  const formats = formatsFor({});
  const seller = { ...GERMAN_SELLER, legal_name: null };
  expect(listSellerLines(null, formats)).toEqual([]);
  expect(listSellerLines(seller, formats)).toEqual([
    'Möbelhaus',
    'www.moebelhaus.example',
    'rechnung@moebelhaus.example',
  ]);
  expect(listSellerLines({ ...seller, issuer: 'Möbelhaus\nBerlin' }, formats).slice(0, 2)).toEqual([
    'Möbelhaus',
    'Berlin',
  ]);
  expect(listSellerLines(GERMAN_SELLER, formats)).toEqual([
    'Müller & Söhne Möbelhaus GmbH',
    'Friedrichstraße 12',
    '10117 Berlin',
    'Deutschland',
    '+49 30 1234567',
    'rechnung@moebelhaus.example',
    'www.moebelhaus.example',
  ]);
});

test('the footer has columns for what the seller has', () => {
  const formats = formatsFor({});
  expect(buildFooter(null, formats)).toEqual([]);
  expect(buildFooter({ ...GERMAN_SELLER, tax_number: '', vat_id: null, footer: null }, formats)).toEqual([
    ['Berliner Volksbank', 'IBAN: DE89 3704 0044 0532 0130 00', 'BIC: COBADEFFXXX'],
  ]);
});

describe('lines', () => {
  test('have the columns that a line fills', () => {
    const refund = { kind: 'refund' as const, label: null, sku: null, quantity: null, price: null };
    const plain = linesOf(aDocument([anEntry({ ...refund, net: '-100.00', tax: '-19.00' })]));
    expect(plain.titles).toEqual(['Artikel', 'USt.', 'Betrag']);
    expect(plain.rows).toEqual([['Bereits gutgeschrieben', '19 %', '-119,00 €']]);
    const sold = linesOf(aDocument([anEntry({ quantity: 2, price: '60.00', discount: '-1.00' })]));
    expect(sold.rows).toEqual([
      ['Stuhl | Artikelnummer ST-1', '2', '60,00 €', '-1,00 €', '19 %', '119,00 €'],
    ]);
    for (const { widths } of [plain, sold]) expect(widths.reduce((all, width) => all + width, 0)).toBe(483);
  });

  test('include only included taxes in their amount', () => {
    const [entry] = [anEntry({ sku: '' })];
    const added = { ...entry, taxes: entry.taxes.map((tax) => ({ ...tax, included: false })) };
    expect(linesOf(aDocument([entry, added])).rows.map((row) => [row[0], row.at(-1)])).toEqual([
      ['Stuhl', '119,00 €'],
      ['Stuhl', '100,00 €'],
    ]);
  });

  test('of a credit note show returned quantities and amounts as positive', () => {
    const returned = anEntry({ kind: 'return', quantity: -2, price: '60.00', net: '-100.00', tax: '-19.00' });
    const refund = { kind: 'refund' as const, label: null, sku: null, quantity: null, price: null };
    const refunded = anEntry({ ...refund, net: '-100.00', tax: '-19.00' });
    const credit = (snapshot: Partial<DocumentSnapshot>) =>
      linesOf(aDocument([returned, refunded], { kind: 'credit_note', snapshot })).rows;
    expect(credit({})[0]).toEqual([
      'Rückgabe: Stuhl | Artikelnummer ST-1',
      '2',
      '60,00 €',
      '-1,00 €',
      '19 %',
      '119,00 €',
    ]);
    expect(credit({})[1]?.[0]).toBe('Bereits gutgeschrieben');
    expect(credit({ refunded_at: '2026-11-20T10:00:00Z' })[1]?.[0]).toBe('Erstattung');
  });

  test('name charges and relieved taxes by their sign, which a credit note reverses', () => {
    const entry = anEntry({ sku: null, charges: [{ label: 'Geschenk', amount: '-5.00' }], relief: '-3.00' });
    const names = (kind: DocumentRecord['kind']) => linesOf(aDocument([entry], { kind })).rows[0]?.[0];
    expect(names('invoice')).toBe('Stuhl | Geschenk -5,00 € | Steuer -3,00 €');
    expect(names('credit_note')).toBe('Stuhl | Geschenk 5,00 € | Steuer 3,00 €');
  });

  test('name returned freight, and returned items by their line item or their SKU', () => {
    const returned = { kind: 'return' as const, quantity: null, price: null, label: 'DHL' };
    const names = [
      anEntry({ ...returned, sku: null, line_item_id: null }),
      anEntry({ ...returned, sku: 'ST-1', line_item_id: null }),
      anEntry({ ...returned, sku: null, line_item_id: 7 }),
    ];
    expect(linesOf(aDocument(names, { kind: 'credit_note' })).rows.map(([name]) => name)).toEqual([
      'Rückgabe: Versand DHL',
      'Rückgabe: DHL | Artikelnummer ST-1',
      'Rückgabe: DHL',
    ]);
  });

  test('of a correction show quantity and price before and after it', () => {
    const changed = { was: { quantity: 3, price: '50.00' }, held: { quantity: 1, price: '40.00' } };
    const entry = anEntry({ ...changed, sku: null });
    const rows = (document: DocumentRecord) => linesOf(document).rows.map(([name]) => name);
    expect(rows(aDocument([entry], { kind: 'correction' }))).toEqual([
      'Stuhl | bisher: 3 × 50,00 € | neu: 1 × 40,00 €',
    ]);
    expect(rows(aDocument([entry]))).toEqual(['Stuhl']);
    const added = { ...entry, was: { quantity: 0, price: '50.00' } };
    expect(rows(aDocument([added], { kind: 'correction' }))).toEqual(['Stuhl']);
  });
});

describe('electronic invoices', () => {
  test.each([
    ['5', '5.00'],
    ['5.1', '5.10'],
    ['5.1250', '5.125'],
    ['-0.5', '-0.50'],
  ])('%s is written %s', (amount, text) => {
    expect(twoDecimals(amount)).toBe(text);
  });

  const writeXml = (document: DocumentRecord): string => buildEinvoice(document, formatsOf(document)) ?? '';
  const textsOf = (xml: string, name: string): string[] =>
    [...xml.matchAll(new RegExp(`<ram:${name}[^>]*>([^<]*)<`, 'g'))].map(([, text = '']) => text);

  test('companies have a contact person, people do not', () => {
    const company = { ...AN_ADDRESS, company: 'Muster GmbH' };
    const [person, firm] = [AN_ADDRESS, company].map((bill_address) =>
      writeXml(aDocument([anEntry({ label: 'Stuhl' })], { snapshot: { bill_address } })),
    );
    expect(textsOf(person ?? '', 'PersonName')).toEqual([]);
    expect(textsOf(firm ?? '', 'PersonName')).toEqual(['Erika Mustermann']);
    expect(textsOf(firm ?? '', 'Name')).toContain('Muster GmbH');
    expect(textsOf(person ?? '', 'Name')).toContain('Erika Mustermann');
  });

  test.each([
    ['2026-03-02T09:00:00.000Z', '2026-03-02T17:00:00.000Z', 0],
    ['2026-03-02T09:00:00.000Z', '2026-03-04T09:00:00.000Z', 1],
  ])('items that left from %s to %s have %d periods of supply', (from, to, periods) => {
    const xml = writeXml(aDocument([anEntry()], { snapshot: { supply: { from, to } } }));
    expect(xml.split('<ram:BillingSpecifiedPeriod>')).toHaveLength(periods + 1);
  });

  test('no price is negative (BR-27)', () => {
    const entries = [anEntry(), anEntry({ quantity: -2, net: '-20.00', tax: '-3.80' })];
    const xml = writeXml(aDocument(entries));
    expect(textsOf(xml, 'ChargeAmount')).toEqual(['100.00', '20.00']);
    expect(textsOf(xml, 'BilledQuantity')).toEqual(['1', '-2']);
    expect(textsOf(xml, 'LineTotalAmount').slice(0, 2)).toEqual(['100.00', '-20.00']);
  });

  test('a line with a credit has a negative quantity and keeps its rate', () => {
    const entries = [
      anEntry({ quantity: 2 }),
      anEntry({ quantity: 0, net: '-5.00', tax: '-0.95' }),
      anEntry({ rate: '0.0', tax: '0.00' }),
      anEntry({ rate: null, reason: 'export' }),
      anEntry({ rate: null }),
    ];
    const document = aDocument(entries, { snapshot: { rates: [] } });
    const lines = listLines(document, formatsOf(document));
    expect(lines.map(({ quantity, category }) => [quantity, category.code, category.percent])).toEqual([
      [2, 'S', '19.00'],
      [-1, 'S', '19.00'],
      [1, 'Z', '0.00'],
      [1, 'G', '0.00'],
      [1, 'E', '0.00'],
    ]);
    expect(sumCategories(document, lines).map(({ code, net, tax }) => [code, net, tax])).toEqual([
      ['S', '95', '18.05'],
      ['Z', '100', '0'],
      ['G', '100', '0'],
      ['E', '100', '0'],
    ]);
  });
});

describe('documents of the previous version', () => {
  const legacy = {
    seller: GERMAN_SELLER,
    format: null,
    order_number: 'R1',
    completed_at: null,
    email: null,
    bill_address: null,
    total: '21.00',
  };
  // A document as the previous version stored it.
  const old = (kind: 'invoice' | 'credit_note', more: object = {}) =>
    upgradeDocument({
      ...aDocument([], { kind }),
      snapshot: { ...legacy, ...more } as unknown as DocumentSnapshot,
    });

  test('list line items, freight and charges', () => {
    const line = { sku: 'A', name: 'Mug', options: null, quantity: 2, price: '8.00', amount: '16.00' };
    const charges = [
      { label: 'Tax', included: false, amount: '1.00' },
      { label: 'VAT', included: true, amount: '2.00' },
    ];
    const { entries, snapshot: upgraded } = old('invoice', { lines: [line], charges, ship_total: '4.00' });
    expect(
      entries.map(({ kind, label, quantity, net, total }) => [kind, label, quantity, net, total]),
    ).toEqual([
      ['line', 'Mug', 2, '16.00', '16.00'],
      ['freight', null, null, '4.00', '4.00'],
      ['adjustment', 'Tax', null, '1.00', '1.00'],
    ]);
    expect(upgraded).toMatchObject({ locale: 'en', einvoice: false, net_total: '21.00', time_zone: 'UTC' });
  });

  test('credit their total', () => {
    expect(old('credit_note').entries).toMatchObject([{ kind: 'refund', net: '-21.00', total: '-21.00' }]);
  });

  test('of the current version are unchanged', () => {
    const document = aDocument([anEntry()]);
    expect(upgradeDocument(document)).toBe(document);
  });
});
