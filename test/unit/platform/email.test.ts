import { isEmail } from '../../../src/platform/email';

test.each([
  'ann@example.com',
  'ann.bee+tag@shop.example.co.uk',
  "o'neil@example.test",
  'jürgen@bücher.example',
  'a@x.test',
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

test('the domain of a local address needs no dot', () => {
  expect(isEmail('root@localhost', { isLocal: true })).toBe(true);
  expect(isEmail('root@-x', { isLocal: true })).toBe(false);
});
