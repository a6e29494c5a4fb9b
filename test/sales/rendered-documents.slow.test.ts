import { DOCUMENT_LABELS } from '../../src/accounts/stores/document-labels';
import { LANGUAGES } from '../../src/platform/languages';
import { splitDirections, TextWriter } from '../../src/sales/documents/document-fonts';
import { renderDocument } from '../../src/sales/documents/render-document';
import { renderPackingSlips } from '../../src/sales/documents/render-packing-slips';
import { aDocument, anEntry, AN_ADDRESS, GERMAN_SELLER } from '../support/documents.factory';
import { openPdf } from '../support/pdf';

/** What documents print, read back from their text layer. */

const read = async (document: ReturnType<typeof aDocument>) =>
  (await openPdf(await renderDocument(document))).pages;

test.each(LANGUAGES.filter((locale) => locale !== 'en'))('%s documents have its labels', async (locale) => {
  const label = DOCUMENT_LABELS[locale];
  const payments = [
    {
      number: 'P1',
      method: 'Visa',
      card_type: 'visa',
      last_digits: '1111',
      state: 'completed' as const,
      amount: '119.00',
    },
  ];
  const untaxed = anEntry({ key: 'line:2', rate: null, reason: 'export' });
  const seller = { ...GERMAN_SELLER, vat_id: 'T1234567890123' };
  const [text = ''] = await read(
    aDocument([anEntry({ discount: '-1.00' }), untaxed], { snapshot: { locale, payments, seller } }),
  );
  const { invoice, date, supply_date, order, item, quantity, unit_price, discount, tax_rate } = label;
  const { net_total, total_tax, total, taxes, rate, gross, bill_to, ship_to, payment_completed } = label;
  const used = [invoice, date, supply_date, order, item, quantity, unit_price, discount, tax_rate];
  for (const part of [
    ...used,
    net_total,
    total_tax,
    total,
    taxes,
    rate,
    gross,
    bill_to,
    ship_to,
    payment_completed,
    label.tax_free,
    'Visa •••• 1111',
  ]) {
    expect(text).toContain(part);
  }
  for (const word of ['Invoice', 'Quantity', 'Unit price', 'undefined']) expect(text).not.toContain(word);
  expect(text).not.toContain(label.discount_or_surcharge);
  const [surcharged] = await read(aDocument([anEntry({ discount: '1.00' })], { snapshot: { locale } }));
  expect(surcharged).toContain(label.discount_or_surcharge);
});

test('amounts, dates and rates are written as in the language and the country of the seller', async () => {
  const entry = anEntry({ net: '1234.50', tax: '234.56', price: '1469.06' });
  const of = async (locale: 'de' | 'fr' | 'nl', country_iso: string) => {
    const [text = ''] = await read(
      aDocument([entry], { snapshot: { locale, seller: { ...GERMAN_SELLER, country_iso } } }),
    );
    return text.replaceAll('\u00a0', ' ');
  };
  expect(await of('de', 'DE')).toEqual(expect.stringMatching(/20\.11\.2026[\s\S]*19 %[\s\S]*1\.469,06 €/));
  expect(await of('fr', 'FR')).toEqual(expect.stringMatching(/20 nov\. 2026[\s\S]*19 %[\s\S]*1 469,06 €/));
  expect(await of('nl', 'NL')).toEqual(expect.stringMatching(/20 nov 2026[\s\S]*19%[\s\S]*€ 1\.469,06/));
});

test.each([
  ['MwSt 16 %', '0.16', 'MwSt 16 %'],
  ['消費税10％', '0.1', '消費税10％'],
  ['USt 7,0%', '0.07', 'USt 7,0%'],
  ['MwSt 16 %', '0.06', 'MwSt 16 % 6 %'],
  ['Tarif 2026', '0.2', 'Tarif 2026 20 %'],
])('a tax that is named %s has its rate %s once', async (name, rate, printed) => {
  const entry = anEntry({ rate });
  const sums = {
    rate,
    name,
    reason: null,
    reduced: false,
    included: true,
    net: '100.00',
    tax: '19.00',
    total: '119.00',
  };
  const [text = ''] = await read(aDocument([entry], { snapshot: { rates: [sums] } }));
  const [, below = ''] = text.replaceAll('\u00a0', ' ').split('Steuersatz');
  expect(below.slice(0, below.indexOf('100,00')).match(/\S.*%|\S.*％/)?.[0]).toContain(printed);
  expect(below.match(/[%％]/g)).toHaveLength(printed.match(/[%％]/g)?.length ?? 0);
});

test('Japanese documents mark reduced rates, and address companies and people', async () => {
  const buyer = {
    ...AN_ADDRESS,
    firstname: '太郎',
    lastname: '山田',
    company: '山田商事株式会社',
    country_iso: 'JP',
    city: '千代田区',
    state: '東京都',
  };
  const seller = {
    ...GERMAN_SELLER,
    legal_name: '株式会社和紙屋',
    country_iso: 'JP',
    vat_id: 'T1234567890123',
  };
  const entries = [
    anEntry({ label: '手漉き和紙', rate: '0.1', net: '3000', tax: '300', price: '3300' }),
    anEntry({
      key: 'line:2',
      label: '抹茶',
      rate: '0.08',
      isReduced: true,
      net: '1000',
      tax: '80',
      price: '1080',
    }),
  ];
  const snapshot = { locale: 'ja' as const, seller, bill_address: buyer };
  const [text = ''] = await read(aDocument(entries, { currency: 'JPY', snapshot }));
  for (const part of [
    '抹茶 ※',
    '8% ※',
    '※ 軽減税率対象',
    '山田商事株式会社 御中',
    '山田 太郎 様',
    'T1234567890123',
    '￥4,380',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('手漉き和紙 ※');
  expect(text).toContain('〒');
  const unknown = { seller: { ...seller, zipcode: null }, bill_address: { ...buyer, zipcode: '' } };
  const [without = ''] = await read(aDocument(entries, { snapshot: { locale: 'ja', ...unknown } }));
  expect(without).not.toContain('〒');
  const [german = ''] = await read(aDocument([anEntry({ rate: '0.07', isReduced: true })]));
  expect(german).not.toContain('※');
});

test.each([
  ['T1234567890123', '適格請求書', '適格返還請求書'],
  ['T1-2345-6789-0123', '適格請求書', '適格返還請求書'],
  [null, '請求書', '返金明細書'],
  ['1234567890123', '請求書', '返金明細書'],
])(
  'only sellers with a Japanese registration number issue qualified invoices: %s',
  async (vat_id, invoice, credit) => {
    const snapshot = { locale: 'ja' as const, seller: { ...GERMAN_SELLER, vat_id } };
    const [text = ''] = await read(aDocument([anEntry()], { snapshot }));
    expect(text).toContain(`${invoice} RE-2026-000042`);
    expect(text.includes('適格')).toBe(invoice.includes('適格'));
    const [back = ''] = await read(aDocument([anEntry()], { kind: 'credit_note', snapshot }));
    expect(back).toContain(`${credit} RE-2026-000042`);
    const texts = { invoice: '領収書' };
    const [own = ''] = await read(aDocument([anEntry()], { snapshot: { ...snapshot, texts } }));
    expect(own).toContain('領収書 RE-2026-000042');
  },
);

test('a document says that its taxes are rounded once per rate, if all of them are', async () => {
  const note = DOCUMENT_LABELS.ja.rounded_once;
  const print = async (entry: ReturnType<typeof anEntry>, tax_rounding?: 'line' | 'document') => {
    const snapshot = { locale: 'ja' as const, ...(tax_rounding && { tax_rounding }) };
    const [text = ''] = await read(aDocument([entry], { snapshot }));
    return text.replaceAll('\n', '');
  };
  expect(await print(anEntry(), 'document')).toContain(note);
  expect(await print(anEntry(), 'line')).not.toContain(note);
  expect(await print(anEntry())).not.toContain(note);
  expect(await print(anEntry({ rate: null, reason: 'exempt' }), 'document')).not.toContain(note);
  const entry = anEntry();
  const twice = { ...entry, taxes: [...entry.taxes, ...entry.taxes] };
  expect(await print(twice, 'document')).not.toContain(note);
});

test('adjustments without tax are not summed as tax-free', async () => {
  const goodwill = {
    key: 'adjustment:1',
    kind: 'adjustment' as const,
    label: 'お詫び',
    net: '-500',
    rate: null,
  };
  const exempt = anEntry({ key: 'line:2', label: '切手', net: '84', rate: null, reason: 'exempt' });
  const snapshot = { locale: 'ja' as const };
  const [text = ''] = await read(aDocument([anEntry(), anEntry(goodwill), exempt], { snapshot }));
  expect(text).toMatch(/課税対象外\s+-€500/);
  expect(text).toMatch(/非課税\s+€84/);
  const [alone] = await read(aDocument([anEntry(), anEntry(goodwill)], { snapshot }));
  expect(alone).not.toContain('非課税');
});

test('a wide rate keeps a distance from the amounts beside it', async () => {
  const rated = anEntry({ label: 'Mug', discount: '-1.00' });
  const taxes = [
    ['0.04875', '4.88'],
    ['0.04', '4.00'],
  ].map(([rate = '', amount = '']) => ({
    source: 1,
    rate,
    included: false,
    name: 'Tax',
    reduced: false,
    amount,
  }));
  const untaxed = anEntry({
    key: 'line:2',
    label: 'Stamps',
    rate: null,
    discount: '-1.00',
    reason: 'exempt',
  });
  const entries = [{ ...rated, taxes }, untaxed];
  const { places } = await openPdf(await renderDocument(aDocument(entries, { snapshot: { locale: 'en' } })));
  for (const label of ['Mug', 'Stamps']) {
    const { y } = places[0]?.find(({ text }) => text === label) ?? { y: 0 };
    const row = (places[0] ?? []).filter((one) => one.text.trim() !== '' && Math.abs(one.y - y) < 1);
    expect(row).toHaveLength(6);
    row.slice(1).forEach(({ left }, at) => {
      expect(left - (row[at]?.right ?? 0)).toBeGreaterThan(9);
    });
  }
});

test('a returned unit has the discount that it was sold with', async () => {
  const returned = {
    kind: 'return' as const,
    label: 'Becher',
    quantity: -2,
    price: '10.00',
    net: '-15.13',
    tax: '-2.87',
  };
  const invoice = { number: 'RE-1', created_at: '2026-11-20T10:00:00Z' };
  const credit = { kind: 'credit_note' as const, snapshot: { invoice } };
  const [text = ''] = await read(aDocument([anEntry(returned)], credit));
  expect(text.replaceAll('\u00a0', ' ')).toMatch(/Rabatt[\s\S]*10,00 €[\s\S]*-2,00 €[\s\S]*18,00 €/);
  const exported = { ...returned, rate: null, net: '-16.80', reason: 'export' as const };
  const [untaxed] = await read(aDocument([anEntry(exported)], credit));
  expect(untaxed).not.toContain('Rabatt');
});

test('a correction says what a line was before and what it is now', async () => {
  const change = (was: [number, string], held: [number, string | null], quantity: number) =>
    anEntry({
      quantity,
      price: held[1] ?? was[1],
      was: { quantity: was[0], price: was[1] },
      held: { quantity: held[0], price: held[1] },
    });
  const invoice = { number: 'RE-42', created_at: '2026-11-20T10:00:00Z' };
  const readUnits = async (entry: ReturnType<typeof anEntry>, kind: 'correction' | 'credit_note') => {
    const snapshot = { locale: 'de', invoice } as const;
    const [text = ''] = await read(aDocument([entry], { kind, snapshot }));
    return text
      .replaceAll('\u00a0', ' ')
      .split('\n')
      .filter((line) => /^(bisher|neu):/.test(line));
  };
  const repriced = change([4, '43.55'], [4, '20.00'], 0);
  expect(await readUnits(repriced, 'correction')).toEqual(['bisher: 4 × 43,55 €', 'neu: 4 × 20,00 €']);
  expect(await readUnits(repriced, 'credit_note')).toEqual([]);
  expect(await readUnits(change([2, '9.99'], [0, null], -2), 'correction')).toEqual(['bisher: 2 × 9,99 €']);
  expect(await readUnits(change([0, '9.99'], [2, '9.99'], 2), 'correction')).toEqual([]);
  // A surcharge only.
  expect(await readUnits(change([3, '9.99'], [3, '9.99'], 0), 'correction')).toEqual([]);
});

test('a refund has no columns of quantities and prices', async () => {
  const refund = { kind: 'refund' as const, label: null, sku: null, quantity: null, price: null };
  const [text = ''] = await read(
    aDocument([anEntry({ ...refund, net: '-100.00', tax: '-19.00' })], {
      kind: 'credit_note',
      snapshot: {
        invoice: { number: 'RE-1', created_at: '2026-11-20T10:00:00Z' },
        refunded_at: '2026-11-20T10:00:00Z',
      },
    }),
  );
  expect(text).toContain('119,00');
  for (const column of ['Menge', 'Einzelpreis']) expect(text).not.toContain(column);
});

test('account numbers, digits of cards and postal codes are written as is usual', async () => {
  const seller = { ...GERMAN_SELLER, iban: 'DE89370400440532013000' };
  const paid = { number: 'P1', card_type: null, state: 'completed' as const, amount: '119.00' };
  const payments = [
    { ...paid, method: 'Kreditkarte', last_digits: '1111' },
    { ...paid, method: 'Vorkasse', last_digits: null },
  ];
  const [german = ''] = await read(aDocument([anEntry()], { snapshot: { seller, payments } }));
  expect(german).toContain('IBAN: DE89 3704 0044 0532 0130 00');
  expect(german).toContain('Kreditkarte •••• 1111, 119,00');
  expect(german).toContain('Vorkasse, 119,00');
  const bill_address = { ...AN_ADDRESS, country_iso: 'JP', zipcode: '1000005' };
  const [japanese = ''] = await read(aDocument([anEntry()], { snapshot: { locale: 'ja', bill_address } }));
  expect(japanese).toContain('〒100-0005');
  expect(japanese).toContain('日本');
});

test('the addresses of a Japanese store are written as in Japan', async () => {
  const seller = {
    ...GERMAN_SELLER,
    country_iso: 'JP',
    zipcode: '1500001',
    state: '東京都',
    city: '渋谷区',
    address1: '神宮前1-2-3',
    address2: '山田ビル5階',
    bank: 'みずほ銀行 渋谷支店 普通',
    iban: '1234567',
  };
  const bill_address = { ...AN_ADDRESS, country_iso: 'JP', zipcode: '1000005' };
  const [text = ''] = await read(
    aDocument([anEntry()], { snapshot: { locale: 'ja', seller, bill_address } }),
  );
  expect(text).toContain('東京都渋谷区神宮前1-2-3 山田ビル5階');
  expect(text).toContain('口座番号: 1234567');
  // The country of the store is in its letterhead only.
  expect(text.split('日本')).toHaveLength(2);
  const romaji = {
    ...seller,
    state: 'Tokyo',
    city: 'Shibuya-ku',
    address1: 'Jingumae 1-2-3',
    address2: null,
  };
  const [english = ''] = await read(
    aDocument([anEntry()], { snapshot: { locale: 'en', seller: romaji, bill_address } }),
  );
  expect(english).toContain('Tokyo Shibuya-ku Jingumae 1-2-3');
  expect(english.split('Japan').length).toBeGreaterThan(2);
});

test('the amounts of the summary are on one page, however many lines are above', async () => {
  for (let lines = 9; lines <= 20; lines++) {
    const entries = Array.from({ length: lines }, (_, at) => anEntry({ key: `line:${at}` }));
    const pages = await read(aDocument(entries));
    const [net, total] = ['Nettobetrag', 'Gesamtbetrag'].map((label) =>
      pages.findIndex((page) => page.includes(label)),
    );
    expect([lines, net]).toEqual([lines, total]);
  }
});

test('Japanese lines do not end with opening brackets, or begin with closing ones, punctuation or small kana', async () => {
  const names = Array.from(
    { length: 12 },
    (_, at) =>
      `${'茶'.repeat(at)}抹茶クリーム大福（十二個入り・化粧箱「極」・のし対応可、送料込み）スーパーカップ (特選) 10％引き。`,
  );
  const entries = names.map((label, at) => anEntry({ key: `line:${at}`, label, sku: null }));
  const { places } = await openPdf(
    await renderDocument(aDocument(entries, { snapshot: { locale: 'ja', payments: [] } })),
  );
  const lines = places
    .flat()
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
  const name = lines.filter((text) => /[茶ー（・りみ]/.test(text));
  expect(name.length).toBeGreaterThan(24);
  for (const text of name) expect(text).not.toMatch(/^[）」・、。ー％ッュァ)]|[（「(]$/);
  const whole = lines.join('').replace(/\s/g, '');
  for (const label of names) expect(whole).toContain(label.replace(/\s/g, '').slice(0, 15));
});

test('letters that are sent as a kana and a mark are one letter, also where a line ends', async () => {
  const name = 'がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽガギグゲゴザジズゼゾ';
  const entries = [0, 1].map((at) =>
    anEntry({ key: `line:${at}`, label: `${'茶'.repeat(at)}${name.repeat(2)}`.normalize('NFD'), sku: null }),
  );
  const { places } = await openPdf(
    await renderDocument(aDocument(entries, { snapshot: { locale: 'ja', payments: [] } })),
  );
  const text = places.flat().map((place) => place.text);
  expect(text.filter((part) => /[\u3099\u309a]/.test(part))).toEqual([]);
  expect(text.join('').replace(/\s/g, '')).toContain(name.slice(0, 15));
});

test('invisible characters are left out, and variants of ideographs are kept', async () => {
  const label = '福\ufa1b\ufeff茶\u200b\u2060碗\u00ad皿';
  const file = await renderDocument(aDocument([anEntry({ label })], { snapshot: { locale: 'ja' } }));
  expect((await openPdf(file)).pages.join('\n')).toContain('福\ufa1b茶碗皿');
});

test.each([
  ['ผ้าไหมที่', 'NotoSansThai-Regular'],
  ['क्षत्रिय रेशम', 'NotoSansDevanagari-Regular'],
  ['👩\u200d🚀 👍🏽', 'NotoEmoji-Regular'],
  ['1\ufe0f\u20e3', 'NotoEmoji-Regular'],
  ['葛\u{e0100}城', 'BIZUDPGothic-Regular'],
])('%s is in the font %s', async (label, font) => {
  const file = await renderDocument(aDocument([anEntry({ label })]));
  const fonts = file.toString('latin1').matchAll(/\/BaseFont \/[A-Z]{6}\+(\S+)/g);
  expect(new Set(Array.from(fonts, ([, name]) => name))).toEqual(
    new Set(['DejaVuSans', 'DejaVuSans-Bold', font]),
  );
});

test('a word that is wider than its line breaks between characters, not within them', async () => {
  const { default: PDFDocument } = await import('pdfkit');
  const characters = ['👩\u200d🚀', '👍🏽', 'a'];
  const lines = new TextWriter(new PDFDocument(), 'en').wrap(characters.join(''), 1, {
    weight: 'regular',
    size: 8,
  });
  expect(lines).toEqual(characters);
});

test('text from right to left is read in its order, with its numbers', async () => {
  const [page = ''] = await read(aDocument([anEntry({ label: 'מגבת כחולה 12 (אדום)' })]));
  expect(page).toMatch(/מגבת כחולה 12 .אדום/);
  expect(splitDirections('מגבת (כחולה) 12 אדום')).toEqual([
    { text: ' אדום', isRightToLeft: true },
    { text: '12', isRightToLeft: false },
    // The glyph of a bracket that opens to the left.
    { text: 'מגבת )כחולה( ', isRightToLeft: true },
  ]);
  expect(splitDirections('Towel (red)')).toEqual([{ text: 'Towel (red)', isRightToLeft: false }]);
});

test('every script of the customers is embedded and readable', async () => {
  const names = [
    '手漉き和紙',
    '한국어 상품',
    '简体中文商品',
    'Ελληνικά',
    'Кириллица',
    'Žluťoučký kůň',
    'Ğüşöç İı',
    'ผ้าไหมไทย',
    'रेशम',
    '🧶 Yarn 🎁',
  ];
  const entries = names.map((label, at) => anEntry({ key: `line:${at}`, label }));
  const file = await renderDocument(aDocument(entries));
  const text = (await openPdf(file)).pages.join('\n');
  for (const name of names) expect(text).toContain(name);
  // Subsets of fonts, not whole ones of some megabytes.
  expect(file.length).toBeLessThan(400_000);
});

test('a long invoice repeats the head of its table, and numbers and names its pages', async () => {
  const entries = Array.from({ length: 60 }, (_, at) =>
    anEntry({ key: `line:${at}`, label: `Artikel ${at + 1} von 60` }),
  );
  const pages = await read(aDocument(entries));
  expect(pages.length).toBeGreaterThan(2);
  pages.forEach((page, at) => {
    expect(page).toContain(`Seite ${at + 1} von ${pages.length}`);
    expect(page).toContain('Einzelpreis');
    expect(page).toContain('DE89 3704 0044 0532 0130 00');
    expect(page.includes('Rechnung RE-2026-000042')).toBe(true);
  });
  for (let line = 1; line <= 60; line++) {
    expect(pages.filter((page) => page.includes(`Artikel ${line} von 60`))).toHaveLength(1);
  }
});

test('returned freight is named, other parts of a return are not', async () => {
  const credit = (label: string | null) =>
    anEntry({
      kind: 'return',
      label,
      sku: null,
      line_item_id: null,
      quantity: null,
      price: null,
      net: '-4.12',
      tax: '-0.78',
    });
  const invoice = { number: 'RE-1', created_at: '2026-11-20T10:00:00Z' };
  const [text = ''] = await read(
    aDocument([credit('DHL Paket'), credit(null)], { kind: 'credit_note', snapshot: { invoice } }),
  );
  expect(text).toContain('Rückgabe: Versand DHL Paket');
  expect(text).toContain('Weiterer Teil der Rückgabe');
});

test('packing slips begin pages of their own and have no prices', async () => {
  const slip = (number: string) => ({
    number,
    order_number: 'R1',
    completed_at: '2026-11-18T09:00:00Z',
    shipped_at: number === 'H2' ? '2026-11-19T09:00:00Z' : null,
    tracking: 'T-77',
    method: 'DHL',
    stock_location: 'Berlin',
    instructions: 'Bitte klingeln',
    ship_address: AN_ADDRESS,
    lines: [{ name: 'Stuhl', sku: 'ST-1', options: 'Farbe: Natur', quantity: 2 }],
  });
  const settings = {
    seller: GERMAN_SELLER,
    locale: 'de' as const,
    texts: {},
    date_format: 'YYYY-MM-DD' as const,
    time_zone: 'UTC',
  };
  const { pages } = await openPdf(await renderPackingSlips({ settings, slips: [slip('H1'), slip('H2')] }));
  expect(pages).toHaveLength(2);
  for (const [at, page] of pages.entries()) {
    for (const part of [
      `Lieferschein H${at + 1}`,
      'Erika Mustermann',
      'T-77',
      'Bitte klingeln',
      '18.11.2026',
      'Seite 1 von 1',
    ]) {
      expect(page).toContain(part);
    }
    expect(page).not.toContain('€');
    expect(page.includes('19.11.2026')).toBe(at === 1);
  }
});
