import fc from 'fast-check';

/** Numbers at and beyond the limits of int4, exact floats and numeric columns, and texts that are not numbers. */
const NUMBERS: unknown[] = [
  ...[0, -1, 1.5, 2_147_483_647, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_992, 1e21, 1e308],
  ...['1e309', '-0', 'NaN', 'Infinity', '0x10', '1_000', '1,5', '٣', '99999999999999999999999', '1e-400'],
  ...['0.001', '-0.01', '9'.repeat(400), '0'.repeat(400), '+5', ' 7 ', '08'],
];

const TEXTS: unknown[] = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', 'x\udfff', '\ufffe', '%', '_', '\\', '%00', '%ff%fe'],
  ...["'", '"', "' OR 1=1 --", "'); DROP TABLE orders; --", '$1', '?', ':name', '${7*7}', '{{7*7}}'],
  ...['../../etc/passwd', 'file:///etc/passwd', '<script>alert(1)</script>', '\r\nX-Evil: 1', '\u202eabc'],
  ...['🦊'.repeat(80), 'e\u0301'.repeat(200), 'a'.repeat(300), 'b'.repeat(70_000)],
  ...['0000-00-00', '2026-02-30', '99999-12-31T00:00:00Z', '-271822-01-01', '2026-11-21T25:61:61Z'],
  ...['true', 'null', 'undefined', 'new', '[object Object]', '__proto__', 'constructor', 'toString'],
];

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const SHAPES: unknown[] = [
  ...[null, true, false, [], {}, [null], [[]], [{}], { 0: 1 }, { '': '' }, ['a', null, 3, {}]],
  ...[{ toString: 1 }, { length: 5 }, { then: 1 }, { constructor: { prototype: 1 } }, { id: { id: {} } }],
  // JSON.parse creates `__proto__` as an own property.
  JSON.parse('{"__proto__":{"admin":true}}') as unknown,
  ...[{ 1: { 2: { 3: 4 } } }, nested(60), Array.from({ length: 3000 }, (_, index) => index)],
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
];

/** Values that are invalid in most places. */
export const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...SHAPES),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Invalid values for a path or a query. */
export const garbageText: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom(...NUMBERS),
    fc.constantFrom(...TEXTS.filter((text) => String(text).length < 5000)),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  .map(String);

/** Percent-encodes a text for a request line. Lone surrogates become invalid UTF-8. */
export function encode(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= 0xd800 && code <= 0xdfff ? '%ED%A0%80' : encodeURIComponent(character);
    })
    .join('');
}

const ATTRIBUTES = [
  ...[
    'id',
    'name',
    'number',
    'email',
    'state',
    'total',
    'created_at',
    'sku',
    'price',
    'quantity',
    'token_hash',
  ],
  ...[
    'password_digest',
    'user_email',
    'variants_sku',
    'variant_product_name',
    'master_price',
    'bogus',
    '',
    '_',
    's',
  ],
  ...[
    'line_items_variant_id',
    'orders_user_password_digest',
    'payments_amount',
    'count_on_hand',
    'completed_at',
  ],
];
const PREDICATES = [
  ...['eq', 'not_eq', 'cont', 'not_cont', 'start', 'end', 'gt', 'gteq', 'lt', 'lteq', 'in', 'not_in', 'null'],
  ...[
    'not_null',
    'present',
    'blank',
    'true',
    'false',
    'matches',
    'cont_any',
    'eq_all',
    'i_cont',
    '',
    'or_name_eq',
  ],
];

/** Query strings with invalid search, sort and paging parameters, without the question mark. */
export const oddQuery: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...PREDICATES), garbageText)
    .map(([attribute, predicate, value]) => `q[${attribute}_${predicate}]=${encode(value)}`),
  fc
    .tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom('asc', 'desc', 'DESC;', 'nulls first', ''))
    .map(([attribute, direction]) => `q[s]=${encode(`${attribute} ${direction}`)}`),
  fc
    .tuple(
      fc.constantFrom('page', 'per_page', 'ids', 'order_token', 'show_deleted', 'amount', 'locale'),
      garbageText,
    )
    .map(([name, value]) => `${name}=${encode(value)}`),
  fc.constantFrom(
    ...[
      'q',
      'q=1',
      'q[]=1',
      'q[s]',
      'q[s][]=id',
      'q[s][a]=id',
      'q[s]=,,,',
      'q[name_cont][]=a',
      'q[name_cont][x]=a',
    ],
    ...[
      'q[id_in][]=1&q[id_in][]=x',
      'q[id_in]=1,2,3',
      'q[a][b][c][d][e][f][g]=1',
      'q[__proto__][x]=1',
      'q[name_eq=1',
    ],
    ...[
      'page[]=2',
      'page[a]=2',
      'page=1&page=2',
      '[]=1',
      '[a]=1',
      'a[]b]=1',
      '&&&',
      '=',
      '==',
      '%',
      '%FF',
      '%u0041',
    ],
    ...[
      'order[line_items][0][variant_id]=1',
      'order[]=1',
      'order=1',
      'product[price][toString]=1',
      'constructor=1',
    ],
    ...[
      'payment_source[1][number]=4',
      'order[payment_source][][number]=1',
      'order_token[]=x',
      'ids[]=1',
      'ids=,,1',
    ],
    `q[g]${'[0]'.repeat(40)}=1`,
    `${'a[b]=1&'.repeat(400)}`,
    `ids=${Array.from({ length: 3000 }, (_, id) => id).join(',')}`,
  ),
);
