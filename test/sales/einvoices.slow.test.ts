import type { TaxFreeReason } from '../../src/sales/documents/documents.repository';
import { renderDocument } from '../../src/sales/documents/render-document';
import { aDocument, anEntry, AN_ADDRESS, GERMAN_SELLER } from '../support/documents.factory';
import { openPdf, validateEinvoice } from '../support/pdf';

/** Electronic invoices (EN 16931), read back from the PDFs. */

const german = { einvoice: true, locale: 'de' } as const;

async function readEinvoice(document: ReturnType<typeof aDocument>): Promise<string> {
  const { files } = await openPdf(await renderDocument(document));
  expect(files.map(({ name }) => name)).toEqual(['factur-x.xml']);
  return files[0]?.text ?? '';
}

/** Returns the texts of the elements with this name. */
function listTexts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)</ram:${name}>`, 'g'))].map(
    ([, text = '']) => text,
  );
}

const cents = (amount: string | undefined): number => Math.round(Number(amount) * 100);
const add = (amounts: readonly string[]): number => amounts.reduce((all, one) => all + cents(one), 0);

/** Checks the rules of EN 16931 for sums (BR-CO-10 to 17, BR-S-08). */
function expectSums(xml: string): void {
  const [one] = [xml.split('<ram:ApplicableHeaderTradeAgreement>')[0] ?? ''];
  const totals = xml.slice(xml.indexOf('<ram:SpecifiedTradeSettlementHeaderMonetarySummation>'));
  const total = (name: string) => cents(listTexts(totals, name)[0]);
  const taxes = [
    ...xml.matchAll(/<ram:ApplicableTradeTax>\s*<ram:CalculatedAmount>[\s\S]*?<\/ram:ApplicableTradeTax>/g),
  ];
  expect(total('LineTotalAmount')).toBe(add(listTexts(one, 'LineTotalAmount')));
  expect(total('TaxBasisTotalAmount')).toBe(
    total('LineTotalAmount') + total('ChargeTotalAmount') - total('AllowanceTotalAmount'),
  );
  expect(total('TaxTotalAmount')).toBe(
    taxes.reduce((all, [tax]) => all + add(listTexts(tax, 'CalculatedAmount')), 0),
  );
  expect(total('GrandTotalAmount')).toBe(total('TaxBasisTotalAmount') + total('TaxTotalAmount'));
  expect(total('DuePayableAmount')).toBe(total('GrandTotalAmount') - total('TotalPrepaidAmount'));
  for (const [tax] of taxes) {
    const [net] = listTexts(tax, 'BasisAmount').map(cents);
    const [rate] = listTexts(tax, 'RateApplicablePercent').map(Number);
    // Taxes are rounded by line, so a cent for each line may differ.
    expect(Math.abs(add(listTexts(tax, 'CalculatedAmount')) - (net ?? 0) * ((rate ?? 0) / 100))).toBeLessThan(
      3,
    );
  }
}

const cart = [
  anEntry({
    quantity: 2,
    net: '210.08',
    tax: '39.92',
    price: '125.00',
    charges: [{ label: 'Gravur', amount: '5.95' }],
  }),
  anEntry({ label: 'Buch <neu> & "gut"', rate: '0.07', isReduced: true, net: '18.69', tax: '1.31' }),
  anEntry({
    kind: 'freight',
    label: 'DHL',
    sku: null,
    quantity: null,
    price: null,
    net: '4.12',
    tax: '0.78',
  }),
  anEntry({ kind: 'adjustment', label: 'Kulanz', quantity: null, rate: null, net: '-5.00', tax: '0.00' }),
];

const paid = { number: 'P1', method: 'Visa', card_type: 'visa', last_digits: '1111' } as const;

test('a German invoice contains its XML, valid by the schema, with the sums it prints', async () => {
  const payments = [{ ...paid, state: 'completed' as const, amount: '269.90' }];
  const xml = await readEinvoice(
    aDocument(cart, { snapshot: { ...german, payments, vat_id: 'DE987654321' } }),
  );
  expect(await validateEinvoice(xml)).toEqual([]);
  expectSums(xml);
  expect(listTexts(xml, 'TypeCode')[0]).toBe('380');
  expect(listTexts(xml, 'GrandTotalAmount')).toEqual(['269.90']);
  expect(listTexts(xml, 'DuePayableAmount')).toEqual(['0.00']);
  expect(listTexts(xml, 'CategoryCode').slice(-3)).toEqual(['S', 'S', 'E']);
  expect(xml).toContain('<ram:Name>Buch &lt;neu&gt; &amp; &quot;gut&quot;</ram:Name>');
  expect(xml).toContain('<ram:BilledQuantity unitCode="C62">-1</ram:BilledQuantity>');
  expect(listTexts(xml, 'Description')[0]).toContain('Gravur');
  for (const id of ['DE123456789', '30/123/45678', 'DE987654321', 'R123456789'])
    expect(xml).toContain(`>${id}<`);
  expect(xml).toContain('<udt:DateTimeString format="102">20261120</udt:DateTimeString>');
  expect(await validateEinvoice(xml.replaceAll('ram:GrandTotalAmount', 'ram:SomeTotal'))).not.toEqual([]);
});

test('credit notes and corrections have types of their own, and name the invoice', async () => {
  const invoice = { number: 'RE-2026-000042', created_at: '2026-11-20T10:00:00Z' };
  const returned = anEntry({ kind: 'return', quantity: -2, net: '-210.08', tax: '-39.92' });
  const uncounted = { kind: 'return', line_item_id: null, sku: null, quantity: null, price: null } as const;
  const freight = anEntry({ ...uncounted, label: '', net: '-4.12', tax: '-0.78' });
  const rest = anEntry({ ...uncounted, label: null, rate: null, net: '-5.00', tax: '0.00' });
  const credit = await readEinvoice(
    aDocument([returned, freight, rest], { kind: 'credit_note', snapshot: { ...german, invoice } }),
  );
  const lower = anEntry({ quantity: -1, net: '-100.00', tax: '-19.00' });
  const correction = await readEinvoice(
    aDocument([lower], { kind: 'correction', snapshot: { ...german, invoice } }),
  );
  for (const xml of [credit, correction]) {
    expect(await validateEinvoice(xml)).toEqual([]);
    expectSums(xml);
    expect(listTexts(xml, 'IssuerAssignedID')).toContain('RE-2026-000042');
  }
  expect([listTexts(credit, 'TypeCode')[0], listTexts(correction, 'TypeCode')[0]]).toEqual(['381', '384']);
  expect([listTexts(credit, 'GrandTotalAmount'), listTexts(correction, 'GrandTotalAmount')]).toEqual([
    ['259.90'],
    ['-119.00'],
  ]);
  // Every line has a name (BR-25), also freight without a shipping method.
  expect(listTexts(credit, 'Name').slice(1, 3)).toEqual(['Versand', 'Weiterer Teil der Rückgabe']);
});

test('what is not taxed is an intra-Community supply if a business in another country of the EU gets it', async () => {
  const belgian = { ...AN_ADDRESS, country_iso: 'BE', country: 'Belgium' };
  const read = async (
    vat_id: string | null,
    ship_address: typeof AN_ADDRESS = belgian,
    reason: TaxFreeReason = 'no_zone',
  ) => {
    const snapshot = { ...german, bill_address: belgian, ship_address, vat_id };
    const entry = anEntry({ rate: null, net: '84.03', reason });
    const { pages, files } = await openPdf(await renderDocument(aDocument([entry], { snapshot })));
    const xml = files[0]?.text ?? '';
    const [named = ''] = listTexts(xml, 'ExemptionReason');
    expect(pages[0]).toContain(named);
    return { xml, sold: [...listTexts(xml, 'CategoryCode').slice(-1), named] };
  };
  const { xml, sold } = await read('BE 0411.905.847');
  expect(await validateEinvoice(xml)).toEqual([]);
  expect(sold).toEqual(['K', 'Steuerfreie innergemeinschaftliche Lieferung']);
  const others = [await read(null), await read('DE136695976'), await read('BE0411905847', AN_ADDRESS)];
  for (const other of others) expect(other.sold).toEqual(['E', 'Im Inland nicht steuerbar']);
  expect((await read('BE0411905847', belgian, 'exempt')).sold).toEqual(['E', 'Steuerfrei']);
});

test('an export names its reason, and taxes that are rounded once for the document stay exact', async () => {
  const abroad = { ...AN_ADDRESS, country_iso: 'CH', country: 'Switzerland' };
  const exported = anEntry({ rate: null, net: '84.03', tax: '0.00', reason: 'export' });
  const free = await readEinvoice(
    aDocument([exported], { snapshot: { ...german, bill_address: abroad, ship_address: abroad } }),
  );
  expect(await validateEinvoice(free)).toEqual([]);
  expect(listTexts(free, 'CategoryCode').slice(-1)).toEqual(['G']);
  expect(listTexts(free, 'ExemptionReason')).toEqual(['Steuerfreie Ausfuhrlieferung']);
  // It needs the VAT id of the seller (BR-G-02); a tax number is enough for what is taxed.
  const snapshot = { ...german, seller: { ...GERMAN_SELLER, vat_id: null } };
  for (const [entry, count] of [
    [exported, 0],
    [anEntry(), 1],
  ] as const) {
    expect((await openPdf(await renderDocument(aDocument([entry], { snapshot })))).files).toHaveLength(count);
  }
  // Without a VAT id, the tax number is the identifier of the seller (BR-CO-26).
  const small = await readEinvoice(aDocument([anEntry()], { snapshot }));
  expect(await validateEinvoice(small)).toEqual([]);
  expect(small).toMatch(/<ram:SellerTradeParty>\s*<ram:ID>30\/123\/45678<\/ram:ID>/);
  const lines = Array.from({ length: 3 }, () => anEntry({ net: '0.83', tax: '0.16' }));
  const rates = [
    {
      rate: '0.19',
      name: 'USt',
      reason: null,
      reduced: false,
      included: true,
      net: '2.50',
      tax: '0.47',
      total: '2.97',
    },
  ];
  const rounded = await readEinvoice(
    aDocument(lines, { snapshot: { ...german, rates, net_total: '2.50', tax_total: '0.47' } }),
  );
  expect(await validateEinvoice(rounded)).toEqual([]);
  expectSums(rounded);
  expect([listTexts(rounded, 'TaxBasisTotalAmount'), listTexts(rounded, 'ChargeTotalAmount')]).toEqual([
    ['2.50'],
    ['0.01'],
  ]);
});

test.each([
  ['de 123 456 789', 'DE123456789'],
  ['ATU 1234.5678', 'ATU12345678'],
  ['CHE-123.456.789 MWST', 'CHE123456789MWST'],
  ['EL123456789', 'EL123456789'],
  ['ＦＲ４０３０３２６５０４５', 'FR40303265045'],
  ['123456789', undefined],
  ['ZZ12345', undefined],
  ['EU372000041', undefined],
  ['USt-ID DE123456789', undefined],
  ['keine', undefined],
])('the XML has the VAT id %s of a customer as %s (BR-CO-09)', async (entered, expected) => {
  const xml = await readEinvoice(aDocument(cart, { snapshot: { ...german, vat_id: entered } }));
  const [, buyer = ''] = xml.split('<ram:BuyerTradeParty>');
  expect(/<ram:ID schemeID="VA">([^<]*)</.exec(buyer.split('</ram:BuyerTradeParty>')[0] ?? '')?.[1]).toBe(
    expected,
  );
});

test('a VAT id of the seller without its country is no VAT id in the XML', async () => {
  const seller = { ...GERMAN_SELLER, vat_id: '123456789' };
  const xml = await readEinvoice(aDocument(cart, { snapshot: { ...german, seller } }));
  expect(xml).not.toContain('schemeID="VA"');
  expect(xml).toContain(`<ram:ID>${GERMAN_SELLER.tax_number ?? ''}</ram:ID>`);
});

test('the PDF is archivable: PDF/A-3, all fonts embedded, and it declares the XML', async () => {
  const file = await renderDocument(aDocument(cart, { snapshot: german }));
  const { metadata } = await openPdf(file);
  expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(metadata).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
  expect(metadata).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>');
  // Metadata is XML, although the seller is called "Müller & Söhne".
  expect(metadata).toContain('Müller + Söhne');
  const raw = file.toString('latin1');
  expect(raw.startsWith('%PDF-1.7')).toBe(true);
  for (const part of ['/AFRelationship /Alternative', '/GTS_PDFA1', '/FontFile2'])
    expect(raw).toContain(part);
  expect(raw).not.toContain('/Helvetica');
  expect(Buffer.compare(file, await renderDocument(aDocument(cart, { snapshot: german })))).toBe(0);
});

test('nothing is embedded for other languages, without the setting, or if the standard cannot express it', async () => {
  const without = { ...GERMAN_SELLER, vat_id: null, tax_number: null };
  const [two] = cart;
  const several = two && { ...two, taxes: [...two.taxes, ...two.taxes] };
  for (const document of [
    aDocument(cart),
    aDocument(cart, { snapshot: { ...german, locale: 'it' } }),
    aDocument(cart, { snapshot: { ...german, seller: without } }),
    aDocument(cart, { snapshot: { ...german, bill_address: null } }),
    aDocument(several === undefined ? [] : [several], { snapshot: german }),
  ]) {
    expect((await openPdf(await renderDocument(document))).files).toEqual([]);
  }
});
