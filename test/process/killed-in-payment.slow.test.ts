import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startJobs } from '../../src/boot/jobs';
import { anAdmin } from '../support/accounts.factory';
import { api, testApp } from '../support/api';
import { ensureTestDatabase, testDb } from '../support/database';
import type { Task } from '../support/killed-child';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { anOrderOf, aPaymentIn, getPaymentTotals } from '../support/payments.factory';

/** Interrupted payments must be settled within this time after a restart, without intervention. */
const SETTLED_WITHIN_MS = 12_000;

/** Runs the script in a separate process, which kills itself. */
async function runAndDie(errand: Task): Promise<void> {
  const script = path.join(__dirname, '../support/killed-child.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(errand)], {
    cwd: path.resolve(__dirname, '../..'),
    env: { PATH: process.env.PATH, STORE_URL: await ensureTestDatabase() },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
}

/** Starts the jobs and waits until no operation is pending. @returns the duration in milliseconds */
async function restart(): Promise<number> {
  const started = performance.now();
  const jobs = startJobs(testApp().deps, () => true);
  const left = () => testDb()('payment_operations').where({ state: 'started' }).first('id');
  try {
    while ((await left()) !== undefined && performance.now() - started < 2 * SETTLED_WITHIN_MS)
      await pause(50);
    return performance.now() - started;
  } finally {
    await Promise.all(jobs.map((job) => job.stop()));
  }
}

test('killed while an order is completed and another is captured: the restart settles both, once', async () => {
  const variant = await aSellableVariant({ stock: 5 });
  const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
  const shopper = api({ orderToken: order.token });
  const show = async () => (await shopper.get(`/orders/${order.number}`)).body;
  const stock = async () =>
    (
      await testDb()('stock_items').where({ variant_id: variant.id }).sum({ count: 'count_on_hand' }).first()
    )?.['count'];
  const paid = await anOrderOf('41.98', { state: 'complete' });
  const payment = await aPaymentIn('pending', paid);

  await Promise.all([
    runAndDie({ do: 'complete', number: order.number, orderToken: order.token }),
    runAndDie({
      do: 'capture',
      number: paid.number,
      orderToken: paid.token,
      id: payment.split('/').at(-1) ?? '',
    }),
  ]);
  expect(await show()).toMatchObject({ state: 'confirm', payments: [{ state: 'processing' }] });
  expect(await stock()).toBe('3');
  expect(await getPaymentTotals(paid)).toEqual({ payment_state: 'balance_due', payment_total: '0.00' });

  expect(await restart()).toBeLessThan(SETTLED_WITHIN_MS);

  expect(await show()).toMatchObject({
    state: 'complete',
    payments: [{ state: 'pending', avs_response: 'D' }],
  });
  expect((await shopper.put(`/checkouts/${order.number}`)).status).toBe(200);
  expect(await stock()).toBe('3');
  expect(await show()).toMatchObject({ payments: [{ state: 'pending' }] });
  expect((await api(await anAdmin()).get(payment)).body).toMatchObject({
    state: 'completed',
    amount: '41.98',
  });
  expect(await getPaymentTotals(paid)).toEqual({ payment_state: 'paid', payment_total: '41.98' });
});
