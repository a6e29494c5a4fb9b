import { withTransaction } from '../../src/platform/database/transaction';
import { buildOrderUpdate, readOrderRow, type OrderColumns } from '../../src/sales/order/orders.repository';
import { testDb } from '../support/database';
import { orderInState } from '../support/orders.factory';

const update = async (patch: OrderColumns) => {
  const { id } = await orderInState('cart');
  return withTransaction({ db: testDb() }, async (tx) => {
    await tx('orders').where({ id }).forUpdate().select('id');
    const locked = { id } as Parameters<typeof buildOrderUpdate>[1]; // locked by the statement before
    return readOrderRow(await buildOrderUpdate(tx, locked, patch, { moves: [], others: [], nested: [] }));
  });
};

test('an update of an order writes dates, nulls and metadata, and keeps the other columns', async () => {
  const approved_at = new Date('2026-01-02T03:04:05.678Z');
  const written = { approved_at, special_instructions: null, metadata: { note: ["it's ?", 1] } };
  expect(await update({ ...written, channel: 'phone' })).toMatchObject({
    ...written,
    channel: 'phone',
    state: 'cart',
  });
});

test('an update refuses unknown columns', async () => {
  const name = 'channel = (SELECT version()), email';
  const patch: object = { [name]: 'x' };
  await expect(update(patch)).rejects.toThrow('orders have no column');
});
