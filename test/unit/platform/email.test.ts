import { isEmail } from '../../../src/platform/email';

test.each([
  'ann@example.com',
  'ann.bee+tag@shop.example.co.uk',
  "o'neil@example.test",
  'jürgen@bücher.example',
  'a@x.test',
  'иван.петров@пример.example',
  '田中taro@例え.example',
  'ﻡﺮﺤﺑﺍ@x.test'.normalize('NFKC'),
  'Łukasz-ß@x.test',
  'nguyễn@x.test',
  'कमल@x.test',
  'ann@xn--bcher-kva.example',
])('%s is an e-mail address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  '.a@x.test',
  'a.@x.test',
  'a..b@x.test',
  'a@-x.test',
  'a@x-.test',
  '<script>@x.test',
  'a@<b>.test',
  'a b@x.test',
  'Ann <a@x.test>',
  'a@x',
  'a@.test',
  'a@x..test',
  'a@@x.test',
  'a@127.0.0.1',
  `${'a'.repeat(65)}@x.test`,
  `a@${'x'.repeat(64)}.test`,
  `a@${'x.'.repeat(130)}test`,
  '',
])('%j is none', (text) => {
  expect(isEmail(text)).toBe(false);
});

test.each([
  ['a zero-width space', 'an\u200bn@x.test'],
  ['a line break', '"a\nBcc: b@x.test\n"@x.test'],
  ['a tab', '"a\tb"@x.test'],
  ['a control character', '"a\u0001b"@x.test'],
  ['a deletion', '"a\u007fb"@x.test'],
  ['a zero-width joiner', 'an\u200dn@x.test'],
  ['a soft hyphen', 'an\u00adn@x.test'],
  ['a byte order mark', 'ann\ufeff@x.test'],
  ['a grapheme joiner', 'a\u034fnn@x.test'],
  ['a variation selector', 'ann\ufe0f@x.test'],
  ['a Hangul filler', 'ann\u115f@x.test'],
  ['a right-to-left override', 'ann\u202e@x.test'],
  ['a Cyrillic а', '\u0430nn@x.test'],
  ['a Greek ο', 'b\u03bfb@x.test'],
  ['Cyrillic letters that all look Latin', '\u0440\u0430\u0443\u0440\u0430\u04cf@x.test'],
  ['a Cyrillic letter in the domain', 'ann@p\u0430ypal.test'],
  ['the same as Punycode', 'ann@xn--pypal-4ve.test'],
  ['a Latin alpha', '\u0251nn@x.test'],
  ['a dotless i', 'al\u0131ce@x.test'],
  ['full-width letters', '\uff41nn@x.test'],
  ['a ligature', 'o\ufb03ce@x.test'],
  ['letters and marks apart', 'ju\u0308rgen@x.test'],
  ['digits of another script', 'ann\u0661@x.test'],
  ['a hyphen of its own', 'ann\u2010lee@x.test'],
])('an address with %s is none', (_, text) => {
  expect(isEmail(text)).toBe(false);
});

test('the domain of a local address needs no dot', () => {
  expect(isEmail('root@localhost', { isLocal: true })).toBe(true);
  expect(isEmail('root@-x', { isLocal: true })).toBe(false);
});
