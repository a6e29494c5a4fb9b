import {
  generateOrderNumber,
  generatePaymentNumber,
  generateDigits,
  generateReturnAuthorizationNumber,
  generateShipmentNumber,
} from '../../../src/sales/order/numbers';

test.each<[string, () => string, RegExp]>([
  ['order', generateOrderNumber, /^R\d{9}$/],
  ['longer order', () => generateOrderNumber(10), /^R\d{10}$/],
  ['shipment', generateShipmentNumber, /^H\d{11}$/],
  ['payment', generatePaymentNumber, /^P[A-Z0-9]{7}$/],
  ['return authorization', generateReturnAuthorizationNumber, /^RA\d{9}$/],
])('%s numbers match their format and do not repeat', (_name, make, form) => {
  const made = Array.from({ length: 200 }, make);
  expect(made.every((number) => form.test(number))).toBe(true);
  // Among 200 random nine-digit numbers, two are equal in one of 50,000 runs.
  expect(new Set(made).size).toBeGreaterThanOrEqual(199);
});

test('every digit occurs, also in the first place', () => {
  const firsts = new Set(Array.from({ length: 500 }, () => generateDigits(3)[0]));
  expect([...firsts].sort().join('')).toBe('0123456789');
});
