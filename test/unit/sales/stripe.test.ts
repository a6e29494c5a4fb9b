import { toAmount, toDecimal } from '../../../src/platform/money';
import {
  fromStripeAmount,
  toStripeAmount,
} from '../../../src/sales/payment-processing/gateways/stripe/amounts';
import { readCharge, readRefund } from '../../../src/sales/payment-processing/gateways/stripe/answers';

/** What is sent to Stripe and read from it, without a connection. */

test.each([
  ['USD', '10.55', 1055],
  ['EUR', '0.05', 5],
  ['JPY', '1000.0', 1000],
  ['KRW', '0.0', 0],
  ['KWD', '10.55', 10_550],
  ['TND', '0.01', 10],
])('%s %s is the integer %d', (currency, amount, units) => {
  expect(toStripeAmount(toAmount(amount), currency)).toBe(units);
  expect(toDecimal(fromStripeAmount(units, currency.toLowerCase()))).toBe(toDecimal(toAmount(amount)));
});

test('thousandths that Stripe reports are truncated', () => {
  expect(toDecimal(fromStripeAmount(10_559, 'kwd'))).toBe('10.55');
});

type Intent = Parameters<typeof readCharge>[0];
type Refund = Parameters<typeof readRefund>[0];

/** Stripe's objects have many more fields, which are not read. */
const anIntent = (fields: object): Intent =>
  ({ id: 'pi_1', last_payment_error: null, next_action: null, client_secret: null, ...fields }) as Intent;

const charged = (checks: object): Intent =>
  anIntent({ status: 'succeeded', latest_charge: { payment_method_details: { card: { checks } } } });

test.each([
  ['pass', 'pass', 'Y'],
  ['pass', 'fail', 'A'],
  ['fail', 'pass', 'Z'],
  ['fail', 'fail', 'N'],
  ['fail', null, 'N'],
  ['pass', null, null],
  [null, 'pass', null],
  ['unchecked', 'unchecked', null],
])('the address check %s and %s of the postal code have the code %s', (line, zip, avs_response) => {
  const checks = { address_line1_check: line, address_postal_code_check: zip };
  expect(readCharge(charged(checks), false)).toMatchObject({ approved: true, avs_response });
});

test.each([
  ['pass', 'M'],
  ['fail', 'N'],
  ['unavailable', null],
])('the check %s of the verification value has the code %s', (cvc_check, cvv_response) => {
  expect(readCharge(charged({ cvc_check }), false)).toMatchObject({ approved: true, cvv_response });
});

test('a charge waits until its status says how it ended', () => {
  for (const status of ['processing', 'requires_confirmation', 'a status of a later version']) {
    const answer = { waiting: true, response_code: 'pi_1', requires_action: null };
    expect(readCharge(anIntent({ status }), false)).toEqual(answer);
  }
});

test('a refund waits until it has succeeded or failed', () => {
  const read = (status: string, failure_reason?: string) =>
    readRefund({ id: 're_1', status, failure_reason } as Refund);
  expect(read('succeeded')).toMatchObject({ approved: true, response_code: 're_1' });
  expect(read('failed', 'expired_card')).toMatchObject({
    approved: false,
    message: 'Stripe: the refund failed (expired_card)',
  });
  expect(read('canceled')).toMatchObject({
    approved: false,
    message: 'Stripe: the refund failed (canceled)',
  });
  expect(read('pending')).toEqual({ waiting: true, response_code: 're_1', requires_action: null });
});
