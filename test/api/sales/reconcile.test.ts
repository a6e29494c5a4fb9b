import { toAmount } from '../../../src/platform/money';
import { bogusGateway } from '../../../src/sales/payment-processing/gateways/bogus';
import type { Movement, MovementList, Period } from '../../../src/sales/payment-processing/gateways/gateway';
import { compareMovements } from '../../../src/sales/payment-processing/reconcile-rules';
import { anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { runStoreCommand } from '../../support/command-line';
import { ensureTestDatabase, testDb } from '../../support/database';
import { orderInState } from '../../support/orders.factory';

describe('the comparison', () => {
  const period = { from: new Date('2026-03-02'), to: new Date('2026-03-03') };
  const build = (amount: string, at: string, rest: Partial<Movement> = {}): Movement => ({
    kind: 'capture',
    payment_number: 'P1',
    reference: 'ch_1',
    currency: 'USD',
    amount: toAmount(amount),
    moved_at: new Date(at),
    ...rest,
  });
  const known = [
    { number: 'P1', root: 'P1', state: 'completed' },
    { number: 'P2', root: 'P1', state: 'pending' },
  ];
  const compare = (ours: Movement[], theirs: Movement[]) => compareMovements({ ours, theirs }, known, period);

  test('finds nothing where both sides agree, also about midnight and for the rest of a capture', () => {
    expect(compare([build('5', '2026-03-02T23:59:59Z')], [build('5', '2026-03-03T00:00:01Z')])).toEqual([]);
    const parts = [
      build('2', '2026-03-02T10:00Z'),
      build('3', '2026-03-02T11:00Z', { payment_number: 'P2' }),
    ];
    expect(compare(parts, [build('5', '2026-03-02T10:00Z')])).toEqual([]);
    expect(compare([], [build('5', '2026-03-03T10:00Z')])).toEqual([]);
  });

  test.each<[string, Movement[], Movement[], object]>([
    ['missing_there', [build('5', '2026-03-02')], [], { here: '5.0', there: null }],
    ['other_state', [], [build('5', '2026-03-02')], { here: null, there: '5.0', state: 'completed' }],
    [
      'missing_here',
      [],
      [build('5', '2026-03-02', { payment_number: 'P9' })],
      { payment_number: 'P9', state: null },
    ],
    ['missing_here', [], [build('5', '2026-03-02', { payment_number: null })], { references: ['ch_1'] }],
    ['other_amount', [build('5', '2026-03-02')], [build('6', '2026-03-02')], { here: '5.0', there: '6.0' }],
  ])('finds %s', (problem, ours, theirs, expected) => {
    expect(compare(ours, theirs)).toMatchObject([{ problem, day: '2026-03-02', ...expected }]);
  });

  test('what a provider lists without a payment is compared by its own reference', () => {
    const [one, other] = ['ch_1', 'ch_2'].map((reference) =>
      build('5', '2026-03-02', { payment_number: null, reference }),
    ) as [Movement, Movement];
    expect(compare([], [one, other])).toMatchObject([{ references: ['ch_1'] }, { references: ['ch_2'] }]);
    expect(compare([one], [other])).toHaveLength(2);
  });

  test('a refund is no capture, and other currencies are other money', () => {
    const refund = build('5', '2026-03-02', { kind: 'refund' });
    expect(compare([build('5', '2026-03-02')], [refund])).toHaveLength(2);
    expect(compare([build('5', '2026-03-02')], [build('5', '2026-03-02', { currency: 'EUR' })])).toHaveLength(
      2,
    );
  });
});

/** The test files of a process share the memory of the test gateway: leaves out the payments of others. */
function listOwnMovements(): void {
  const { connect } = bogusGateway;
  jest.spyOn(bogusGateway, 'connect').mockImplementation((preferences) => {
    const gateway = connect(preferences);
    const listMovements = async (period: Period): Promise<MovementList> => {
      const list = await gateway.listMovements!(period);
      const own = new Set(await testDb()('payments').pluck('number'));
      return { ...list, movements: list.movements.filter((one) => own.has(one.payment_number)) };
    };
    return { ...gateway, listMovements };
  });
}

afterEach(() => jest.restoreAllMocks());

test('store reconcile compares the test gateway with the orders, and exits with 1 on differences', async () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const days = ['--from', day(-1), '--to', day(1)];
  const run = async (...argv: string[]) =>
    runStoreCommand(['reconcile', ...days, ...argv], { DATABASE_URL: await ensureTestDatabase() });
  listOwnMovements();
  const admin = api(await anAdmin());
  const order = await orderInState('complete');
  const [payment] = order.payments;
  const path = `/orders/${order.number}/payments/${payment.id}`;
  await admin.put(`${path}/capture`, { amount: 10 });
  const rest = (await admin.get(`/orders/${order.number}`)).body.payments.at(-1);
  await admin.put(`/orders/${order.number}/payments/${rest.id}/capture`);
  await admin.put(`${path}/credit`, { amount: 4 });
  const voided = await orderInState('complete');
  await admin.put(`/orders/${voided.number}/payments/${voided.payments[0].id}/capture`);
  await admin.put(`/orders/${voided.number}/payments/${voided.payments[0].id}/void`);
  const second = { name: 'Second method of the account', gateway: 'bogus' };
  expect((await admin.post('/payment_methods', { payment_method: second })).status).toBe(201);
  const agreeing = await run();
  expect(agreeing).toMatchObject({ code: 0, stderr: '' });
  expect(agreeing.stdout).toContain('Credit Card (bogus): 5 captures and refunds, differences: 0');
  expect(agreeing.stdout).toContain(`${second.name} (bogus): 0 captures and refunds, differences: 0`);

  await testDb()('payment_operations')
    .where({ payment_id: payment.id, kind: 'credit' })
    .update({ amount: 3 });
  const found = await run();
  expect([found.code, found.stdout]).toEqual([
    1,
    expect.stringContaining(`refund of ${payment.number}: here 3.0 USD, there 4.0 USD`),
  ]);
  const json = JSON.parse((await run('--json')).stdout);
  expect(json.methods[0].differences).toMatchObject([{ problem: 'other_amount', here: '3.0', there: '4.0' }]);
  await testDb()('payment_operations')
    .where({ payment_id: payment.id, kind: 'credit' })
    .update({ amount: 4 });
  expect(await run('--to', day(-3))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--to is before'),
  });
});
