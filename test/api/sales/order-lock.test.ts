import { withTransaction, type Tx } from '../../../src/platform/database/transaction';
import { NotFound } from '../../../src/platform/errors';
import { lockOrder } from '../../../src/sales/order/order-lock';
import { PaymentInProgress } from '../../../src/errors/errors';
import { testDb } from '../../support/database';
import { api } from '../../support/api';
import { lockForResult } from '../../../src/sales/payment-processing/record-result';
import { aSellableVariant, orderInState } from '../../support/orders.factory';

const CALLER = { actor: { kind: 'guest' }, orderToken: null } as const;

/** Runs `work` in a transaction whose lock of an order finds none, as if the order was created right after it. */
function withLateOrder(work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return withTransaction({ db: testDb() }, async (tx) => {
    const { send } = tx;
    tx.send = (statement) =>
      statement.name?.startsWith('hold_order') === true ? Promise.resolve([]) : send(statement);
    return work(tx);
  });
}

test.each([
  ['with its nested records', {}],
  ['with its variants', { variants: 'read' }],
] as const)('an order that is created after the lock is not found: %s', async (_name, wanted) => {
  const { number } = await orderInState('cart');
  await expect(withLateOrder((tx) => lockOrder(tx, { number, credentials: CALLER }, wanted))).rejects.toThrow(
    NotFound,
  );
});

test('an order that is created after the lock is not found: for a gateway call', async () => {
  const { id } = await orderInState('cart');
  const operation = { idempotency_key: 'P1-void-1', payment_id: 1, order_id: id };
  await expect(withLateOrder((tx) => lockForResult(tx, operation))).rejects.toThrow(
    'operation P1-void-1 does not exist',
  );
});

test('the size of an order is noted as a cost of its change', async () => {
  const variants = await Promise.all([1, 2, 3, 4].map(() => aSellableVariant()));
  const lines = variants.map(({ id }) => ({ variant_id: id, quantity: 1 }));
  const { number, token } = await orderInState('cart', { lines });
  const noteCost = jest.fn();
  const credentials = { ...CALLER, orderToken: token, noteCost };
  await withTransaction({ db: testDb() }, (tx) => lockOrder(tx, { number, credentials }));
  expect(noteCost.mock.calls).toEqual([[4 / 8]]);
});

test('an open order cannot be locked for a change while a payment of it is processed', async () => {
  const { id, number, token } = await orderInState('confirm');
  const credentials = { ...CALLER, orderToken: token };
  const lock = () => withTransaction({ db: testDb() }, (tx) => lockOrder(tx, { number, credentials }));
  expect(await lock()).toMatchObject({ id });
  await testDb()('payments').where({ order_id: id }).update({ state: 'processing' });
  await expect(lock()).rejects.toThrow(PaymentInProgress);
});

test('the next step of a checkout is refused while a payment is processed', async () => {
  const { id, number, caller } = await orderInState('confirm');
  await testDb()('payments').where({ order_id: id }).update({ state: 'processing' });
  const reply = await api(caller).put(`/checkouts/${number}/next`);
  expect([reply.status, reply.headers['x-error-code']]).toEqual([409, 'conflict']);
});
