import { isSameValue, type ColumnType } from '../../../src/sales/order/column-values';

/** Decides which columns of an order are written, and so whether its times, its history and its events change. */
test.each<[ColumnType | undefined, unknown, unknown, boolean]>([
  ['numeric', '10.0', '10.00', true],
  ['numeric', '10.0', '10.01', false],
  ['numeric', '0', '-0.0', true],
  ['numeric', '10.0', null, false],
  ['text', '10.0', '10.00', false],
  [undefined, '10.0', '10.00', false],
  ['timestamptz', new Date(5), new Date(5), true],
  ['timestamptz', new Date(5), new Date(6), false],
  ['timestamptz', null, new Date(0), false],
  ['bytea', Buffer.from('ab'), Buffer.from('ab'), true],
  ['bytea', Buffer.from('ab'), Buffer.from('ac'), false],
  ['jsonb', { erp: [1, 2] }, { erp: [1, 2] }, true],
  ['jsonb', { erp: [1, 2] }, { erp: [2, 1] }, false],
  ['jsonb', null, {}, false],
  ['text', undefined, null, false],
  ['integer', null, null, true],
  ['integer', 0, null, false],
  ['boolean', false, undefined, false],
])('a column of type %s with %p and %p', (type, one, other, isSame) => {
  expect(isSameValue(type, one, other)).toBe(isSame);
  expect(isSameValue(type, other, one)).toBe(isSame);
});
