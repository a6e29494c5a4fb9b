import type { Document, Order, Product, Promotion, Variant } from 'store-api-client';
import { balanceOf } from '../../web/office/rules/balance';
import { writeAmount } from '../../web/office/rules/amounts';
import { fromLocal, toLocal } from '../../web/office/rules/local-time';
import { changePrice } from '../../web/office/rules/price-change';
import { readOptionLines, writeOptionLines } from '../../web/office/rules/option-lines';
import { fromPercent, toPercent } from '../../web/office/rules/percent';
import { changeActions, changeRules } from '../../web/office/rules/promotion-parts';
import { dayIn, fillDays, nameRow, nameTax, startOfDay } from '../../web/office/rules/report-days';
import { readCount, readTrackings } from '../../web/office/rules/scanned-lines';
import { describeUnmadeRefunds } from '../../web/office/rules/unmade-refunds';
import { combineValues, skuOf } from '../../web/office/rules/variant-grid';
import { stateOf } from '../../web/shared/address-state';
import { moneyOf, setMoneyForm, sumOf, type MoneyForm } from '../../web/shared/money';
import { describePayment } from '../../web/shop/payment-state';
import { factsOf, picturesOf } from '../../web/shop/product-facts';
import { choose, findVariant, findVariants, isOffered } from '../../web/shop/variants';

test('states whose abbreviation is a number are shown by their names', () => {
  const state = (name: string, abbr: string) => ({
    state: { id: 1, country_id: 1, name, abbr },
    state_text: abbr,
  });
  expect(stateOf(state('Hyogo', '28'))).toBe('Hyogo');
  expect(stateOf(state('Maine', 'ME'))).toBe('ME');
  expect(stateOf({ state: null, state_text: 'Sector 7' })).toBe('Sector 7');
  expect(stateOf({ state: null, state_text: null })).toBe('');
});

test.each([
  ['-150.0', 'JPY', '-¥150'],
  ['1234.5', 'USD', '$1,234.50'],
  ['1234.5', 'CAD', '$1,234.50'],
  ['', 'USD', ' USD'],
])('an amount of %p %s is shown as the API shows others', (amount, currency, text) => {
  expect(moneyOf(amount, currency)).toBe(text);
});

test('a time that a form shows to the minute is kept to the millisecond', () => {
  const end = '2026-12-31T22:59:59.999Z';
  expect(fromLocal(toLocal(end), end)).toBe(end);
  expect(fromLocal(toLocal('2026-12-24T10:30:00.000Z'), end)).toBe('2026-12-24T10:30:00.000Z');
  expect(fromLocal(null, end)).toBeNull();
});

describe('amounts are shown in the form of the store', () => {
  const GERMAN: MoneyForm = {
    currency: 'EUR',
    symbol: '€',
    symbol_position: 'after',
    decimal_mark: ',',
    thousands_separator: '.',
  };
  const DEFAULT: MoneyForm = {
    currency: 'USD',
    symbol: '$',
    symbol_position: 'before',
    decimal_mark: '.',
    thousands_separator: ',',
  };
  afterEach(() => setMoneyForm(DEFAULT));

  test.each<[MoneyForm, string, string, string]>([
    [GERMAN, '-13.24', 'EUR', '-13,24 €'],
    [GERMAN, '1234567.5', 'EUR', '1.234.567,50 €'],
    [GERMAN, '1234.5', 'USD', '1.234,50 $'],
    [{ ...GERMAN, thousands_separator: '' }, '1234.5', 'EUR', '1234,50 €'],
    [{ ...GERMAN, symbol: 'EUR', symbol_position: 'before' }, '-4.9', 'EUR', '-EUR 4,90'],
    [{ ...GERMAN, symbol: 'EUR', symbol_position: 'before' }, '4.9', 'USD', 'USD 4,90'],
    [{ ...DEFAULT, currency: 'CHF', symbol: 'CHF' }, '4.9', 'CHF', 'CHF4.90'],
    [DEFAULT, '-4.9', 'USD', '-$4.90'],
  ])('%j %s %s', (form, amount, currency, text) => {
    setMoneyForm(form);
    expect(moneyOf(amount, currency)).toBe(text);
  });
});

describe('prices change by a percentage', () => {
  test.each([
    ['18.0', '10', null, '19.80'],
    ['18.0', '-10', null, '16.20'],
    ['0.1', '5', null, '0.11'],
    ['19.99', '2.5', null, '20.49'],
    ['1.05', '10', null, '1.16'],
    // Beyond what a float holds exactly.
    ['99999999999.99', '0.01', null, '100009999999.99'],
    ['18', '10', 99, '19.99'],
    ['18', '2', 99, '17.99'],
    ['20.5', '0', 0, '20.00'],
    ['0.4', '0', 99, '0.99'],
  ])('%s by %s percent with the ending %s is %s', (price, percent, ending, expected) => {
    expect(changePrice(price, { percent, ending })).toBe(expected);
  });

  test.each([
    ['1005.0', '2.5', 99, '1030.00'],
    ['1005.0', '2.6', null, '1031.00'],
    ['1.0', '-60', null, null],
  ])('%s yen by %s percent is a whole number', (price, percent, ending, expected) => {
    expect(changePrice(price, { percent, ending, digits: 0 })).toBe(expected);
  });

  test.each([
    ['18', '-100'],
    ['18', 'ten'],
    ['18', '1.234'],
    ['', '10'],
  ])('%j by %j stays', (price, percent) => {
    expect(changePrice(price, { percent, ending: null })).toBeNull();
  });
});

test.each([
  ['18.0', 'USD', '18.00'],
  ['-4.5', 'EUR', '-4.50'],
  ['18', 'USD', '18.00'],
  ['1800.0', 'JPY', '1800'],
  ['0.125', 'USD', '0.125'],
  ['1.5', 'KWD', '1.500'],
  ['', 'USD', ''],
  ['18.0', '', '18.0'],
])('a field shows %j %s as %j', (amount, currency, expected) => {
  expect(writeAmount(amount, currency)).toBe(expected);
});

test.each([
  ['0.055', '5.5'],
  ['0.19', '19'],
  ['1', '100'],
  ['0', '0'],
  ['0.00125', '0.125'],
  ['-0.05', '-5'],
  ['12.5', '1250'],
])('the rate %s is %s percent', (rate, percent) => {
  expect([toPercent(rate), fromPercent(percent)]).toEqual([percent, rate]);
});

test('what is no percentage is left for the API to refuse', () => {
  expect(['', 'five', '5,5'].map(fromPercent)).toEqual(['', 'five', '5,5']);
});

test.each([
  ['2026-11-24', 'day', 'Nov 24, 2026'],
  ['2026-11', 'month', 'November 2026'],
  ['2026-W48', 'week', '2026-W48'],
  ['2026-11', 'reason', '2026-11'],
])('the group %s of a report by %s is called %s', (group, by, expected) => {
  expect(nameRow({ group }, { by, ungrouped: 'None' })).toBe(expected);
});

test('rows of taxes by month name the month and the tax, or why there is none', () => {
  const ofMonth = { group: '2026-09', name: 'VAT', reason: null };
  const untaxed = { group: null, name: null, reason: 'export' };
  expect(nameRow(ofMonth, { by: 'month', ungrouped: '' })).toBe('September 2026');
  expect(nameTax(ofMonth)).toBe('VAT');
  expect(nameRow({ ...ofMonth, group: '1' }, { by: 'rate', ungrouped: '' })).toBe('VAT');
  expect(nameRow(untaxed, { by: 'rate', ungrouped: '' })).toBe('Exports');
  expect(
    [{ ...untaxed, reason: 'exempt' }, { ...untaxed, reason: null }, { group: '2026-09-01' }].map(nameTax),
  ).toEqual(['Exempt', 'Without tax', null]);
});

test.each([
  ['Asia/Tokyo', '2026-12-01'],
  ['UTC', '2026-11-30'],
  ['America/New_York', '2026-11-30'],
])('the day of the store in %s is %s', (zone, expected) => {
  expect(dayIn(zone, Date.parse('2026-11-30T15:30:00Z'))).toBe(expected);
});

test.each([
  ['Asia/Tokyo', '2026-11-01', '2026-10-31T15:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30:00.000Z'],
  // Midnight is left out.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-01', '2026-10-31T10:00:00.000Z'],
])('in %s %s begins at %s', (zone, day, expected) => {
  expect(startOfDay(zone, day)).toBe(expected);
});

describe('the days of a report', () => {
  const rows = [
    { group: '2026-02-27', units: 2 },
    { group: '2026-02-27', units: 3 },
    { group: '2026-03-01', units: 5 },
  ];
  const fill = (from: string, to: string) =>
    fillDays(rows, { from, to }, (group) => ({ group, units: 0 })).map(({ units }) => units);

  test('are complete from the first to the last', () => {
    expect(fill('2026-02-26', '2026-03-02')).toEqual([0, 2, 3, 0, 5, 0]);
    expect(fill('2026-02-27', '2026-02-27')).toEqual([2, 3]);
  });

  test.each([
    ['2026-03-02', '2026-02-26'],
    ['1990-01-01', '2026-03-02'],
    ['', '2026-03-02'],
  ])('stay as they are from %j to %j', (from, to) => {
    expect(fill(from, to)).toEqual([2, 3, 5]);
  });
});

test('trackings are read from tabs, commas and spaces, and may be missing', () => {
  expect(readTrackings('H1\t1Z 77\n\n H2,00340 \r\nH3')).toEqual([
    { number: 'H1', tracking: '1Z 77' },
    { number: 'H2', tracking: '00340' },
    { number: 'H3', tracking: null },
  ]);
});

test('a count adds up scans and numbers, and names lines it cannot read', () => {
  const { units, unread } = readCount('MUG\nMUG 10\nMUG\nTEE;0\nTEE -1\nTEE; 1.5\nTEE, many');
  expect([[...units], unread]).toEqual([
    [
      ['MUG', 12],
      ['TEE', 0],
    ],
    ['TEE -1', 'TEE; 1.5', 'TEE, many'],
  ]);
});

test('a count takes SKUs that contain spaces; a tab, comma or semicolon parts them from a number that looks like a part', () => {
  const { units, unread } = readCount('A B C\nA B C 2\nA B C\t3\nA  B; 4\r\nBOLT 10,5\n');
  expect([[...units], unread]).toEqual([
    [
      ['A B C', 6],
      ['A  B', 4],
      ['BOLT 10', 5],
    ],
    [],
  ]);
});

test('lines of option values keep the ids of known names, add and delete the others', () => {
  const stored = [
    { id: 1, name: 'small', presentation: 'S' },
    { id: 2, name: 'Red', presentation: 'Red' },
    { id: 3, name: 'ratio', presentation: '16:9' },
  ];
  const text = writeOptionLines(stored);
  expect(text).toBe('small: S\nRed\nratio: 16:9');
  expect(readOptionLines(text, stored)).toEqual(
    stored.map((value, index) => ({ ...value, position: index + 1 })),
  );
  expect(readOptionLines('\n ratio : 4:3 \nnavy:\nsmall: Small', stored)).toEqual([
    { id: 2, _destroy: true },
    { id: 3, name: 'ratio', presentation: '4:3', position: 1 },
    { name: 'navy', presentation: 'navy', position: 2 },
    { id: 1, name: 'small', presentation: 'Small', position: 3 },
  ]);
});

test('lines of option values keep names that contain colons or spaces', () => {
  const stored = [
    { id: 1, name: '16', presentation: 'Sixteen' },
    { id: 2, name: '16:9', presentation: '16:9' },
    { id: 3, name: ' wide\nscreen', presentation: 'Wide  screen' },
  ];
  const text = writeOptionLines(stored);
  expect(text).toBe('16: Sixteen\n16:9\nwide screen: Wide screen');
  expect(readOptionLines(text, stored)).toEqual(
    stored.map((value, index) => ({ ...value, position: index + 1 })),
  );
  expect(readOptionLines('16:9 : Wide\n16 : 9', stored)).toEqual([
    { id: 3, _destroy: true },
    { id: 2, name: '16:9', presentation: 'Wide', position: 1 },
    { id: 1, name: '16', presentation: '9', position: 2 },
  ]);
});

test('values of options are combined except for variants that exist', () => {
  const sizes = [
    { id: 1, name: 's' },
    { id: 2, name: 'm' },
  ];
  const colors = [
    { id: 7, name: 'navy blue' },
    { id: 8, name: 'ærø' },
  ];
  const made = combineValues([sizes, colors], [[8, 1], [7]]);
  expect(made.map(({ option_value_ids }) => option_value_ids)).toEqual([
    [1, 7],
    [2, 7],
    [2, 8],
  ]);
  expect(made.map((variant) => skuOf('TEE', variant))).toEqual([
    'TEE-S-NAVY-BLUE',
    'TEE-M-NAVY-BLUE',
    'TEE-M-ÆRØ',
  ]);
  expect([combineValues([], []), combineValues([sizes, []], [])]).toEqual([[], []]);
});

describe('the payment of an order in the shop', () => {
  const doc = (kind: string, total: string) => ({ kind, total });
  const invoice = doc('invoice', '40.0');
  const goodwill = doc('credit_note', '5.0');

  test.each([
    ['no refund', '0.0', 0, [invoice], 'Payment is due'],
    ['goodwill', '35.0', 1, [invoice, goodwill], 'Partly refunded'],
    ['everything as goodwill', '0.0', 1, [invoice, doc('credit_note', '40.0')], 'Refunded'],
    // Something was removed, refunded and added again.
    [
      'an addition after a refund',
      '30.0',
      1,
      [invoice, doc('correction', '-10.0'), doc('correction', '10.0')],
      'Payment is due',
    ],
    [
      'an addition after goodwill',
      '35.0',
      1,
      [invoice, goodwill, doc('correction', '8.0')],
      'Payment is due',
    ],
    ['an import without documents', '35.0', 1, [], 'Payment is due'],
    ['documents that are not loaded', '35.0', 1, undefined, ''],
  ])('%s', (_name, payment_total, count, documents, expected) => {
    const refunds = Array.from({ length: count }, () => ({ amount: '5.0' }));
    const payments = [{ state: 'completed', refunds }];
    const order = { payment_state: 'balance_due', payment_total, payments, currency: 'USD' };
    // Only these fields are read.
    expect(describePayment(order as Order, documents as Document[] | undefined)).toBe(expected);
  });

  test.each([
    [[], 'Nothing was charged'],
    [[{ amount: '5.0' }], 'Refunded'],
  ])('a canceled order with the refunds %j', (refunds, expected) => {
    const order = {
      payment_state: 'void',
      payment_total: '0.0',
      payments: [{ state: 'completed', refunds }],
    };
    // Only these fields are read.
    expect(describePayment(order as unknown as Order, [])).toBe(expected);
  });

  test.each([
    [['-3.6', '-0.05'], 'USD', '-3.65'],
    [['0.1', '0.2'], 'USD', '0.30'],
    [['-0.5', '0.45'], 'USD', '-0.05'],
    [['100', '-30'], 'JPY', '70'],
  ])('%j %s are %s', (amounts, currency, expected) => {
    expect(sumOf(amounts, currency)).toBe(expected);
  });
});

test.each([
  ['complete', '127.4', '117.4', { isDue: true, amount: '10.00' }],
  ['complete', '117.4', '127.4', { isDue: false, amount: '10.00' }],
  ['complete', '127.4', '127.4', null],
  ['canceled', '127.4', '0.0', null],
] as const)(
  'the balance of a %s order of %s, of which %s is paid, is %j',
  (state, total, payment_total, balance) => {
    const order = { state, total, payment_total, currency: 'USD', completed_at: '2026-01-01T00:00:00.000Z' };
    expect(balanceOf(order)).toEqual(balance);
    expect(balanceOf({ ...order, completed_at: null })).toBeNull();
  },
);

test('a refund that the provider has not made is named when a return is received', () => {
  const made = { payment_id: 1, amount: '5.0', approved: true, message: null };
  expect([describeUnmadeRefunds({}), describeUnmadeRefunds({ refunds: [made] })]).toEqual(['', '']);
  const refused = { ...made, payment_id: 2, approved: false, message: 'The refund failed' };
  expect(describeUnmadeRefunds({ refunds: [made, refused, refused] })).toBe(
    ' The provider has not made the refund (The refund failed): the store owes it to the buyer.',
  );
});

describe('the shop finds the variant of a choice', () => {
  const [size, color] = [1, 2];
  const [small, medium, blue, green] = [11, 12, 21, 22];
  const buildVariant = (id: number, values: [typeId: number, valueId: number][], is_orderable = true) =>
    ({
      id,
      is_orderable,
      option_values: values.map(([option_type_id, valueId]) => ({ id: valueId, option_type_id })),
    }) as Variant; // Only what a choice depends on.
  const plain = buildVariant(1, [[size, small]]);
  const smallBlue = buildVariant(2, [[size, small], [color, blue]], false); // prettier-ignore
  const mediumGreen = buildVariant(3, [[size, medium], [color, green]]); // prettier-ignore
  const variants = [plain, smallBlue, mediumGreen];

  test.each([
    ['all values', { [size]: small, [color]: blue }, 2],
    ['a variant that lacks an option', { [size]: small }, 1],
    ['no variant', { [size]: medium, [color]: blue }, undefined],
  ])('%s', (_, choice, expected) => {
    expect(findVariant(variants, choice)?.id).toBe(expected);
  });

  test('and whether it is sold out', () => {
    expect(isOffered(variants, { [size]: small }, color, blue)).toBe(false);
    expect(choose(variants, { [size]: small }, color, blue)).toEqual({ [size]: small, [color]: blue });
    expect(choose(variants, { [size]: small }, color, green)).toEqual({ [size]: medium, [color]: green });
  });
});

test('variants with equal options are all found: the picked one, else one that can be bought', () => {
  const aVariant = (id: number, is_orderable = true) =>
    ({ id, is_orderable, option_values: [{ id: 11, option_type_id: 1 }] }) as Variant; // Only what a choice depends on.
  const variants = [aVariant(1, false), aVariant(2), aVariant(3)];
  const choice = { 1: 11 };
  expect(findVariants(variants, choice).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect([undefined, 3, 1, 9].map((picked) => findVariant(variants, choice, picked)?.id)).toEqual([
    2, 3, 1, 2,
  ]);
  expect(isOffered(variants, choice, 1, 11)).toBe(true);
});

describe('the form of a promotion', () => {
  const unset = {
    match_policy: null,
    amount_min: null,
    amount_max: null,
    currency: null,
    product_ids: [],
    taxon_ids: [],
    user_ids: [],
  };
  const euros = { ...unset, id: 1, type: 'item_total' as const, amount_max: '50.0', currency: 'EUR' };
  const dollars = { ...unset, id: 2, type: 'item_total' as const, amount_min: '20.0', currency: 'USD' };
  const mugs = { ...unset, id: 3, type: 'taxon' as const, match_policy: 'all' as const, taxon_ids: [7] };
  const first = { ...unset, id: 4, type: 'first_order' as const };
  const off: Promotion['actions'] = [
    { id: 8, type: 'order_amount', percent: null, amount: '5.0', currency: 'EUR' },
    { id: 9, type: 'free_shipping', percent: null, amount: null, currency: null },
  ];
  const form = { amount_min: '', taxon_ids: [], first_order: false, one_use_per_user: false };

  test('changes the rules that it shows', () => {
    expect(
      changeRules({ ...form, taxon_ids: [7, 8], one_use_per_user: true }, [euros, dollars, mugs, first]),
    ).toEqual([
      { id: 1, type: 'item_total', amount_min: null },
      { id: 3, type: 'taxon', taxon_ids: [7, 8] },
      { id: 4, _destroy: true },
      { type: 'one_use_per_user' },
    ]);
    expect(changeRules({ ...form, first_order: true }, [dollars, mugs, first])).toEqual([
      { id: 2, _destroy: true },
      { id: 3, _destroy: true },
      { id: 4, type: 'first_order' },
    ]);
    expect(changeRules({ ...form, amount_min: '30' }, [])).toEqual([
      { type: 'item_total', amount_min: '30' },
    ]);
  });

  test('changes the first action, and replaces it by one of another type', () => {
    const values = { percent: '10', amount: '6.00' };
    expect(changeActions({ ...values, type: 'order_amount' }, off)).toEqual([
      { id: 8, type: 'order_amount', amount: '6.00' },
    ]);
    expect(changeActions({ ...values, type: 'order_percent' }, off)).toEqual([
      { id: 8, _destroy: true },
      { type: 'order_percent', percent: '10' },
    ]);
    expect(changeActions({ ...values, type: 'free_shipping' }, [])).toEqual([{ type: 'free_shipping' }]);
  });
});

describe('a product in the shop', () => {
  const picture = (id: number, attachment_file_name: string) => ({ id, attachment_file_name });
  const variant = (...images: object[]) => ({ images }) as unknown as Variant; // the fields that the shop reads here
  const idsOf = (pictures: readonly { id: number }[]) => pictures.map(({ id }) => id);

  test('shows all pictures of a camera that names each the same, and those that variants share once', () => {
    const master = variant(picture(1, 'image.jpg'), picture(2, 'image.jpg'));
    const [red, alsoRed] = [variant(picture(3, 'red.jpg')), variant(picture(4, 'red.jpg'))];
    const product = { master, variants: [red, alsoRed] } as unknown as Product; // likewise
    expect(idsOf(picturesOf(product, alsoRed))).toEqual([4, 1, 2]);
    expect(idsOf(picturesOf(product, undefined))).toEqual([1, 2, 3]);
    expect(idsOf(picturesOf({ ...product, variants: [] }, master))).toEqual([1, 2]);
  });

  test('tells search engines nothing that is blank', () => {
    const product = {
      name: 'Mug',
      slug: 'mug',
      description: null,
      in_stock: true,
      has_variants: false,
      master: { sku: '', images: [] },
      variants: [],
      price_range: { min: '18.0', max: '18.0' },
    } as unknown as Product; // likewise
    const facts = factsOf(product, { origin: 'https://shop.example', currency: 'EUR' });
    expect(Object.keys(facts)).toEqual(['@context', '@type', 'name', 'offers']);
  });
});
