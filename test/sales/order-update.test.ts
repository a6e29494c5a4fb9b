import { withTransaction } from '../../src/platform/database/transaction';
import { buildOrderUpdate, type OrderColumns } from '../../src/sales/order/orders.repository';
import { testDb } from '../support/database';
import { orderInState } from '../support/orders.factory';

const update = async (patch: OrderColumns) => {
  const { id } = await orderInState('cart');
  return withTransaction({ db: testDb() }, async (tx) => {
    await tx('orders').where({ id }).forUpdate().select('id');
    const locked = { id } as Parameters<typeof buildOrderUpdate>[0]; // locked by the statement before
    const { rows } = await tx.raw<{ rows: { time: Date }[] }>('SELECT change_time() AS time');
    const time = rows[0]?.time ?? new Date(0);
    const { statement, bindings } = buildOrderUpdate(locked, patch, time);
    tx.write(statement, bindings);
    const stored = await tx('orders').where({ id }).first<Record<string, unknown>>();
    return { time, stored };
  });
};

test('an update of an order writes dates, nulls and metadata, and keeps the other columns', async () => {
  const approved_at = new Date('2026-01-02T03:04:05.678Z');
  const patch = { approved_at, special_instructions: null, metadata: { note: ["it's ?", 1] } };
  const { stored } = await update({ ...patch, channel: 'phone' });
  expect(stored).toMatchObject({ ...patch, channel: 'phone', state: 'cart' });
});

test('an update has the time that it names', async () => {
  const { time, stored } = await update({ item_total: '1', total: '1' });
  expect(stored).toMatchObject({ item_total: '1.00', total: '1.00', updated_at: time });
});

test('an update refuses unknown columns', async () => {
  const name = 'channel = (SELECT version()), email';
  const patch: object = { [name]: 'x' };
  await expect(update(patch)).rejects.toThrow('orders have no column');
});
