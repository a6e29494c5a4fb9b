import { withTransaction } from '../../src/platform/database/transaction';
import { buildOrderUpdate, readOrderRow, type OrderColumns } from '../../src/sales/order/orders.repository';
import { testDb } from '../support/database';
import { orderInState } from '../support/orders.factory';

const update = async (patch: OrderColumns) => {
  const { id } = await orderInState('cart');
  return withTransaction({ db: testDb() }, async (tx) => {
    await tx('orders').where({ id }).forUpdate().select('id');
    const locked = { id } as Parameters<typeof buildOrderUpdate>[1]; // locked by the statement before
    const written = readOrderRow(
      await buildOrderUpdate(tx, locked, patch, { moves: [], others: [], nested: [] }),
    );
    const stored = await tx('orders').where({ id }).first<Record<string, unknown>>();
    return { written, stored };
  });
};

test('an update of an order writes dates, nulls and metadata, and keeps the other columns', async () => {
  const approved_at = new Date('2026-01-02T03:04:05.678Z');
  const patch = { approved_at, special_instructions: null, metadata: { note: ["it's ?", 1] } };
  const { stored } = await update({ ...patch, channel: 'phone' });
  expect(stored).toMatchObject({ ...patch, channel: 'phone', state: 'cart' });
});

test('an update yields what it writes, as it is stored', async () => {
  const { written, stored } = await update({ item_total: '1', total: '1', payment_total: '0' });
  expect(written).toEqual({ ...written, item_total: '1.00', payment_total: '0.00', total: '1.00' });
  expect(stored).toMatchObject(written);
  expect(Object.keys(written).sort()).toEqual(['item_total', 'payment_total', 'total', 'updated_at']);
});

test('an update refuses unknown columns', async () => {
  const name = 'channel = (SELECT version()), email';
  const patch: object = { [name]: 'x' };
  await expect(update(patch)).rejects.toThrow('orders have no column');
});
