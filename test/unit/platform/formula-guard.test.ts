import { addGuard, removeGuard } from '../../../src/platform/csv/formula-guard';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  "'=1",
  "''＝1",
])('%j is guarded, and read as it was', (text) => {
  expect(addGuard(text)).toBe(`'${text}`);
  expect(removeGuard(addGuard(text))).toBe(text);
});

test.each(['', 'Mug', "'Mug'", '1=1', ' =1', 'a＝b'])('%j is not changed', (text) => {
  expect(addGuard(text)).toBe(text);
  expect(removeGuard(text)).toBe(text);
});
