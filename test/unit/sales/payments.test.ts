import fc from 'fast-check';
import { type Amount, sum, multiply, negate, toAmount, toDecimal, ZERO } from '../../../src/platform/money';
import {
  calculateCreditLimit,
  decideCapture,
  listLimitErrors,
  decideCredit,
  readPaymentAmount,
  type PaymentMoney,
} from '../../../src/sales/payment-processing/amount-rules';
import { InvalidResource } from '../../../src/platform/errors';
import type { CreditCardRow } from '../../../src/sales/order/order-graph';
import type { LockedOrderGraph } from '../../../src/sales/order/order-lock';
import { addPayment } from '../../../src/sales/payment-processing/added-payments';
import type { PaymentMethodRow } from '../../../src/sales/payment-processing/payment-methods.repository';
import type { CardInput } from '../../../src/sales/payment-processing/card-input.schema';
import { readCardType, readCard } from '../../../src/sales/payment-processing/card-rules';
import { ACCEPTED_CARDS } from '../../../src/sales/payment-processing/gateways/bogus-cards';
import type { FollowUpRequest } from '../../../src/sales/payment-processing/gateways/gateway';
import { builtInGateways, connectGateway } from '../../../src/sales/payment-processing/gateways/registry';
import { isRisky } from '../../../src/sales/payment-processing/risk';

const now = new Date('2026-03-31T23:59:59.999Z');
const good: CardInput = {
  number: '4111 1111-1111 1111',
  month: '1',
  year: '2030',
  verification_value: '123',
  name: 'Ann Lee',
};
const errorsOf = (changes: CardInput): string[] => {
  const read = readCard({ ...good, ...changes }, now);
  return 'errors' in read ? read.errors : [];
};

describe('readCard', () => {
  test('a valid card', () => {
    expect(readCard(good, now)).toEqual({
      card: {
        number: '4111111111111111',
        month: 1,
        year: 2030,
        verification_value: '123',
        name: 'Ann Lee',
        cc_type: null,
        last_digits: '1111',
      },
    });
    expect(readCard({ ...good, number: '1' }, now)).toMatchObject({ card: { last_digits: '1' } });
    expect(readCard({ ...good, number: 4111111111111111, month: 1, year: 2030 }, now)).toHaveProperty('card');
  });

  test('an empty card reports every error, in order', () => {
    expect(readCard({}, now)).toEqual({
      errors: [
        "Number can't be blank",
        'Month is not a number',
        'Year is not a number',
        "Verification Value can't be blank",
        "Name can't be blank",
      ],
    });
    expect(errorsOf({ number: '----', name: {}, verification_value: [] })).toEqual([
      "Number can't be blank",
      "Verification Value can't be blank",
      "Name can't be blank",
    ]);
  });

  test.each<[CardInput, string[]]>([
    [{ name: 'x'.repeat(255) }, []],
    [{ name: 'x'.repeat(256) }, ['Name is too long (maximum is 255 characters)']],
    [{ name: 'a\u0000b' }, ['Name is invalid']],
    [{ month: '3', year: '2026' }, []],
    [{ month: '2', year: '2026' }, ['Card has expired']],
    [{ month: '12', year: '2025' }, ['Card has expired']],
    [{ month: '13' }, ['Card expiration is invalid']],
    [{ month: '0' }, ['Card expiration is invalid']],
    [{ month: '1.5' }, ['Month is not a number']],
    [{ year: 'soon' }, ['Year is not a number']],
    [{ year: '30' }, []],
    [{ year: '99999' }, ['Card expiration is invalid']],
    [{ expiry: '04/27' }, []],
    [{ expiry: '4 / 2027' }, []],
    [{ expiry: '0427' }, []],
    [{ expiry: '042027' }, []],
    [{ expiry: '02/26' }, ['Card has expired']],
    [{ expiry: 'never' }, ['Month is not a number', 'Year is not a number']],
    [{ expiry: '', month: '3', year: '2026' }, []],
  ])('%j gives %j', (changes, errors) => {
    expect(errorsOf(changes)).toEqual(errors);
  });

  test('a card is valid to the end of its month', () => {
    const card = { ...good, month: '3', year: '2026' };
    expect(readCard(card, now)).toHaveProperty('card');
    expect(readCard(card, new Date('2026-04-01T00:00:00.000Z'))).toEqual({ errors: ['Card has expired'] });
  });

  test('expiry replaces month and year', () => {
    expect(readCard({ ...good, expiry: '12/29' }, now)).toMatchObject({ card: { month: 12, year: 2029 } });
  });

  test('digits of cards may be full-width', () => {
    const typed = { number: '４１１１ １１１１−１１１１ １１１１', verification_value: '１２３' };
    const read = readCard({ ...good, ...typed, expiry: '１２／２９' }, now);
    const card = { number: '4111111111111111', verification_value: '123', month: 12, year: 2029 };
    expect(read).toMatchObject({ card });
    expect(readCard({ ...good, month: '１２', year: '２９' }, now)).toMatchObject({
      card: { month: 12, year: 2029 },
    });
  });

  test('never throws for any input', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('number', 'month', 'year', 'expiry', 'name', 'cc_type'), fc.anything()),
        (input) => {
          const read = readCard({ ...good, ...input }, now);
          if ('errors' in read) expect(read.errors.length).toBeGreaterThan(0);
          else expect(read.card.month).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });
});

test.each<[unknown, string, string | null]>([
  ['mastercard', '1', 'master'],
  ['maestro', '1', 'master'],
  ['amex', '1', 'american_express'],
  ['dinersclub', '1', 'diners_club'],
  ['visa', '1', 'visa'],
  ['toString', '1', 'toString'],
  [undefined, '4111111111111111', null],
  [null, '4111111111111111', null],
  ['', '4111111111111111', 'visa'],
  ['', '4222222222222', 'visa'],
  ['', '5555555555554444', 'master'],
  ['', '2223000010309703', 'master'],
  ['', '378282246310005', 'american_express'],
  ['', '6011111111111117', 'discover'],
  ['', '30569309025904', 'diners_club'],
  ['', '3530111333300000', 'jcb'],
  ['', '1', null],
  ['4111111111111111', '4111111111111111', null],
  ['x'.repeat(51), '4111111111111111', null],
])('type %p of %s is %p', (given, number, type) => {
  expect(readCardType(given, number)).toBe(type);
});

describe('credit', () => {
  const completed: PaymentMoney = {
    currency: 'USD',
    state: 'completed',
    amount: toAmount('25.99'),
    refunded: toAmount('5'),
  };
  const decide = (requested: unknown, outstanding = '0', payment = completed): unknown => {
    const decision = decideCredit(payment, requested, toAmount(outstanding));
    return 'amount' in decision ? toDecimal(decision.amount) : decision;
  };

  test('the limit is accepted; a higher amount is refused with the limit', () => {
    expect(decide('20.99')).toBe('20.99');
    expect(decide('21')).toEqual({ over_limit: '20.99' });
    expect(decide('100', '0', { ...completed, amount: toAmount('15') })).toEqual({ over_limit: '10.0' });
  });

  test('a missing amount defaults to the credit owed, and is required if none is', () => {
    expect(decide(undefined, '-15.99')).toBe('15.99');
    expect(decide('', '-50')).toBe('20.99');
    for (const outstanding of ['3', '0', undefined])
      expect(decide(undefined, outstanding)).toEqual({ errors: { amount: ["can't be blank"] } });
    const refunded = { ...completed, refunded: completed.amount };
    expect(decide(undefined, '0', refunded)).toEqual({ errors: { amount: ["can't be blank"] } });
    expect(decide(undefined, '-5', refunded)).toEqual({ over_limit: '0.0' });
  });

  test.each([['0'], ['-1'], ['abc'], ['0.004'], [{}], [NaN]])('%p is refused', (requested) => {
    expect(decide(requested)).toEqual({ errors: { amount: ['must be greater than 0'] } });
  });

  test.each(['checkout', 'pending', 'failed', 'void', 'invalid', 'processing'] as const)(
    '%s has no credit',
    (state) => {
      expect(calculateCreditLimit({ ...completed, state })).toBe(ZERO);
      expect(decide('0.01', '0', { ...completed, state })).toEqual({ over_limit: '0.0' });
      expect(decide(undefined, '-5', { ...completed, state })).toEqual({ over_limit: '0.0' });
    },
  );

  test('any sequence of credits stays within the payment, and a credit of all that is owed is exactly the rest', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.array(fc.nat(60_000)), (paid, wishes) => {
        const amount = multiply(toAmount('0.01'), paid);
        let refunded = ZERO;
        for (const wish of wishes) {
          const decision = decideCredit(
            { currency: 'USD', state: 'completed', amount, refunded },
            `${wish}e-2`,
            ZERO,
          );
          if ('amount' in decision) refunded = sum(refunded, decision.amount);
          expect(refunded <= amount).toBe(true);
        }
        const rest = decideCredit(
          { currency: 'USD', state: 'completed', amount, refunded },
          undefined,
          negate(amount),
        );
        if ('amount' in rest) refunded = sum(refunded, rest.amount);
        expect(refunded).toBe(amount);
      }),
    );
  });
});

describe('capture', () => {
  const payment = { currency: 'USD', amount: toAmount('25') };

  test('captures the whole amount, or a part and keeps the rest', () => {
    expect(decideCapture(payment, undefined, null)).toEqual({ amount: 2500n, rest: 0n });
    expect(decideCapture(payment, '25.00', null)).toEqual({ amount: 2500n, rest: 0n });
    expect(decideCapture(payment, 10, null)).toEqual({ amount: 1000n, rest: 1500n });
  });

  test('refuses more than the amount', () => {
    expect(decideCapture(payment, '25.01', null)).toEqual({ refused: 'cannot capture more than 25.0' });
    expect(decideCapture(payment, 'all', null)).toEqual({
      errors: { amount: ['must be greater than 0'] },
    });
  });

  test.each<[bigint, unknown]>([
    [1000n, { amount: 1000n, rest: 1500n }],
    [2500n, { amount: 2500n, rest: 0n }],
    [9000n, { amount: 2500n, rest: 0n }],
    [0n, { errors: { amount: ["can't be blank"] } }],
    [-1n, { errors: { amount: ["can't be blank"] } }],
  ])('takes what the order owes, %d cents', (owed, result) => {
    expect(decideCapture(payment, ' ', toAmount(toDecimal(owed as Amount)))).toEqual(result);
    // An amount is what was requested, whatever the order owes.
    expect(decideCapture(payment, '25', toAmount(toDecimal(owed as Amount)))).toMatchObject({
      amount: 2500n,
    });
  });
});

test.each<[unknown, string, unknown]>([
  [undefined, '40', { amount: 4000n }],
  ['', '-5', { amount: 0n }],
  ['10.005', '40', { amount: 1001n }],
  [0, '40', { amount: 0n }],
  ['-1', '40', { errors: { amount: ['must be greater than or equal to 0'] } }],
  ['ten', '40', { errors: { amount: ['is not a number'] } }],
  ['99999999.99', '40', { amount: 9_999_999_999n }],
  ['100000000', '40', { errors: { amount: ['must be less than or equal to 99999999.99'] } }],
])('a payment of %p, outstanding %s', (requested, outstanding, result) => {
  expect(readPaymentAmount(requested, toAmount(outstanding), 'USD')).toEqual(result);
});

test('an amount above a limit is refused with the limit, or with zero', () => {
  const limits = (amount: string, limit: string) => listLimitErrors(toAmount(amount), toAmount(limit));
  expect(limits('5', '5')).toEqual({});
  expect(limits('5.01', '5')).toEqual({ amount: ['must be less than or equal to 5.0'] });
  expect(limits('1', '-3')).toEqual({ amount: ['must be less than or equal to 0.0'] });
});

describe('risk', () => {
  const fine = { state: 'completed' as const, avs_response: 'D', cvv_response: null };

  test('results of the test gateway are not risky', () => {
    expect(
      isRisky([fine, { ...fine, avs_response: 'M' }, { ...fine, avs_response: null, cvv_response: 'M' }]),
    ).toBe(false);
    expect(isRisky([])).toBe(false);
    expect(isRisky([{ ...fine, avs_response: '', cvv_response: '' }])).toBe(false);
  });

  test('a failed payment, another CVV code or a doubtful AVS code is risky', () => {
    expect(isRisky([fine, { ...fine, state: 'failed' }])).toBe(true);
    expect(isRisky([{ ...fine, cvv_response: 'N' }])).toBe(true);
    for (const avs_response of 'ACEFGIKLNOPRSUWZ') expect(isRisky([{ ...fine, avs_response }])).toBe(true);
    for (const avs_response of 'BDHJMQTVXY') expect(isRisky([{ ...fine, avs_response }])).toBe(false);
  });
});

describe('gateways', () => {
  const request: FollowUpRequest = {
    amount: toAmount('25'),
    currency: 'USD',
    idempotency_key: 'PAAAAAAA-authorize',
    order_number: 'R1',
    payment_number: 'PAAAAAAA',
    authorization: 'PAAAAAAA',
    source: null,
    response_code: null,
    started_at: new Date(),
  };
  const registered = connectGateway(
    { gateways: builtInGateways, secret: Buffer.alloc(32) },
    { gateway: 'bogus', preferences: {} },
  );
  let requests = 0;
  /** Sends a request with a key of its own. */
  const withNewKey =
    <R extends { idempotency_key: string }, Result>(call: (sent: R) => Result) =>
    (sent: R): Result =>
      call({ ...sent, idempotency_key: `key-${(requests += 1)}` });
  const bogus = {
    ...registered,
    authorize: withNewKey(registered.authorize),
    purchase: withNewKey(registered.purchase),
    capture: withNewKey(registered.capture),
    void: withNewKey(registered.void),
    credit: withNewKey(registered.credit),
  };
  const cardSource = {
    gateway_customer_profile_id: 'BGS-123456',
    gateway_payment_profile_id: null,
    is_saved_by_another_user: false,
  };
  const aSale = (authorization: string, amount: string) => ({
    ...request,
    source: cardSource,
    response_code: '12345',
    authorization,
    payment_number: authorization,
    amount: toAmount(amount),
  });
  const check = connectGateway(
    { gateways: builtInGateways, secret: Buffer.alloc(32) },
    { gateway: 'check', preferences: {} },
  );
  const card = {
    verification_value: '123',
    name: 'Ann',
    month: 1,
    year: 2030,
    cc_type: null,
    last_digits: '1',
  };

  test('every accepted card has a profile and is charged with it', async () => {
    expect(ACCEPTED_CARDS.size).toBe(15);
    for (const number of ACCEPTED_CARDS) {
      const profile = await bogus.createProfile({ ...card, number });
      expect(profile?.gateway_customer_profile_id).toMatch(/^BGS-\d{6}$/);
      const source = profile && { ...profile, is_saved_by_another_user: false };
      const code = { approved: true, response_code: '12345', cvv_response: null };
      expect(await bogus.authorize({ ...request, source })).toMatchObject({ ...code, avs_response: 'D' });
      expect(await bogus.purchase({ ...request, source })).toMatchObject({ ...code, avs_response: 'M' });
    }
  });

  test('a token is confirmed once and becomes the profile, unless it is the card of another user', async () => {
    const declined = { approved: false, message: 'Bogus Gateway: Forced failure' };
    const source = {
      gateway_customer_profile_id: null,
      gateway_payment_profile_id: 'BGS-123456',
      is_saved_by_another_user: false,
    };
    const confirmed = { approved: true, card: { gateway_customer_profile_id: 'BGS-123456' } };
    expect(await bogus.authorize({ ...request, source })).toMatchObject(confirmed);
    expect(await bogus.purchase({ ...request, source })).toMatchObject(confirmed);
    const foreign = { ...source, is_saved_by_another_user: true };
    expect(await bogus.authorize({ ...request, source: foreign })).toMatchObject(declined);
    for (const token of ['BGS-12345', 'BGS-1234567', 'bgs-123456', 'xBGS-123456', 'tok_1']) {
      const other = { ...source, gateway_payment_profile_id: token };
      expect(await bogus.purchase({ ...request, source: other })).toMatchObject(declined);
    }
  });

  test('any other card has no profile and is declined', async () => {
    const declined = { approved: false, message: 'Bogus Gateway: Forced failure' };
    expect(await bogus.createProfile({ ...card, number: '4111111111111112' })).toBeNull();
    expect(await bogus.authorize(request)).toMatchObject(declined);
    expect(await bogus.purchase(request)).toMatchObject(declined);
    const foreign = {
      gateway_customer_profile_id: 'X-1',
      gateway_payment_profile_id: null,
      is_saved_by_another_user: false,
    };
    expect(await bogus.authorize({ ...request, source: foreign })).toMatchObject(declined);
  });

  test('a capture requires a response code; unknown authorizations can be captured, voided and credited', async () => {
    const unknown = { ...request, authorization: 'PUNKNOWN', payment_number: 'PUNKNOWN' };
    expect(await bogus.capture({ ...unknown, response_code: '12345' })).toMatchObject({ approved: true });
    expect(await bogus.capture(unknown)).toMatchObject({ approved: false });
    for (const scope of ['authorization', 'remainder', 'capture', 'sale'] as const)
      expect(await bogus.void({ ...unknown, scope })).toMatchObject({
        approved: true,
        response_code: '12345',
      });
    expect(await bogus.credit(unknown)).toMatchObject({ approved: true, response_code: '12345' });
  });

  const approved = { approved: true };
  const refused = (message: string) => ({ approved: false, message: `Bogus Gateway: ${message}` });

  test('captures never exceed their authorization, also those of its rest', async () => {
    const sale = aSale('PCAPTURE', '25');
    await bogus.authorize(sale);
    expect(await bogus.capture({ ...sale, amount: toAmount('20') })).toMatchObject(approved);
    const rest = { ...sale, payment_number: 'PREST' };
    const exceeded = refused('the authorization is exceeded');
    expect(await bogus.capture({ ...rest, amount: toAmount('5.01') })).toMatchObject(exceeded);
    expect(await bogus.capture({ ...rest, amount: toAmount('5') })).toMatchObject(approved);
    expect(await bogus.void({ ...sale, scope: 'authorization' })).toMatchObject(
      refused('the authorization has captures'),
    );
  });

  test('nothing is captured under a void authorization, which is voided once', async () => {
    const sale = aSale('PVOID', '25');
    await bogus.authorize(sale);
    expect(await bogus.void({ ...sale, scope: 'authorization' })).toMatchObject(approved);
    const isVoid = refused('the authorization is void');
    expect(await bogus.capture(sale)).toMatchObject(isVoid);
    expect(await bogus.void({ ...sale, scope: 'remainder' })).toMatchObject(isVoid);
  });

  test('money is given back once: by credits, or by voiding a capture or the sale without credits', async () => {
    const sale = aSale('PCREDIT', '25');
    await bogus.purchase(sale);
    expect(await bogus.credit({ ...sale, amount: toAmount('10') })).toMatchObject(approved);
    expect(await bogus.credit({ ...sale, amount: toAmount('15.01') })).toMatchObject(
      refused('more than the captured amount'),
    );
    expect(await bogus.void({ ...sale, scope: 'capture' })).toMatchObject(refused('the capture has credits'));
    expect(await bogus.void({ ...sale, scope: 'sale' })).toMatchObject(refused('the sale has credits'));
    const other = aSale('PSALE', '25');
    await bogus.purchase(other);
    expect(await bogus.void({ ...other, scope: 'capture' })).toMatchObject(approved);
    const isVoid = refused('the capture is void');
    expect(await bogus.void({ ...other, scope: 'capture' })).toMatchObject(isVoid);
    expect(await bogus.credit({ ...other, amount: toAmount('1') })).toMatchObject(isVoid);
    const third = aSale('PTHIRD', '25');
    await bogus.purchase(third);
    expect(await bogus.void({ ...third, scope: 'sale' })).toMatchObject(approved);
    expect(await bogus.credit({ ...third, amount: toAmount('1') })).toMatchObject(isVoid);
  });

  test('a repeated idempotency key moves no money again', async () => {
    const sale = aSale('PREPEAT', '25');
    await bogus.purchase(sale);
    const credit = { ...sale, idempotency_key: 'PREPEAT-credit-1', amount: toAmount('15') };
    expect(await registered.credit(credit)).toMatchObject(approved);
    expect(await registered.credit(credit)).toMatchObject(approved);
    expect(await bogus.credit({ ...sale, amount: toAmount('10') })).toMatchObject(approved);
  });

  test('a check always succeeds and stores nothing', async () => {
    for (const call of [check.authorize, check.purchase, check.capture, check.void, check.credit]) {
      expect(await call({ ...request, scope: 'sale' })).toMatchObject({
        approved: true,
        response_code: null,
      });
    }
    expect(await check.createProfile({ ...card, number: '1' })).toBeNull();
    expect(builtInGateways['check']?.method_type).toBe('check');
  });

  test('an unknown gateway throws', () => {
    expect(() =>
      connectGateway(
        { gateways: builtInGateways, secret: Buffer.alloc(32) },
        { gateway: 'toString', preferences: {} },
      ),
    ).toThrow(RangeError);
  });
});

describe('addPayment', () => {
  const CAUSE = { user_id: null, reason: 'test' };
  // Only these columns are read.
  const order = {
    id: 1,
    user_id: 7,
    state: 'payment',
    completed_at: null,
    total: '10.00',
    payment_total: '0.00',
    payments: [],
    transaction_time: now,
    captures_at_once: false,
  } as unknown as LockedOrderGraph;
  const method = { id: 3, name: 'Card', method_type: 'gateway', active: true } as PaymentMethodRow;
  const card = { id: 5, payment_method_id: 3, user_id: 8 } as CreditCardRow;

  test('refuses a saved card when its user no longer owns the locked order', () => {
    const add = (user_id: number | null) =>
      addPayment(
        { ...order, user_id },
        { source: 'existing_card', method, card },
        { amount: null, cause: CAUSE },
      );
    expect(add(8).payment).toMatchObject({ credit_card_id: 5, amount: '10.0' });
    for (const other of [7, null]) expect(() => add(other)).toThrow(InvalidResource);
  });

  test('a new card belongs to its user only if they still own the locked order', () => {
    const entered = { month: 1, year: 2030, name: 'Ann Lee', last_digits: '1111', cc_type: null };
    const add = (card_user_id: number) =>
      addPayment(
        order,
        { source: 'new_card', method, card: entered, profile: null, card_user_id },
        { amount: null, cause: CAUSE },
      ).payment.card;
    expect([add(7)?.user_id, add(8)?.user_id]).toEqual([7, null]);
  });
});
