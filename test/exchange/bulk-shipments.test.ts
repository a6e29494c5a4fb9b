import { aClerk, anAdmin, asAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { importCsv } from '../support/csv';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { countWaits } from '../support/queries';
import {
  aPaidOrder,
  getDefaultLocationId,
  listHistory,
  readOrder,
  withStoreSetting,
} from '../support/shipments.factory';

async function aParcel(): Promise<{ order: any; number: string; id: number }> {
  const order = await aPaidOrder();
  const [{ number, id }] = order.shipments;
  return { order, number, id };
}

test('ships many parcels with their trackings, and again changes nothing', async () => {
  const [one, two, three] = [await aParcel(), await aParcel(), await aParcel()];
  const staff = await anAdmin();
  const url = 'https://post.example.com/T2';
  const rows = [
    { number: two.number, tracking: 'T2', tracking_url: url, ship: true },
    { number: one.number, tracking: 'T1', ship: true },
    { number: three.number, tracking: 'T3' },
  ];
  const reply = await api(staff).post('/bulk/shipments', { rows });
  expect(reply.body).toEqual({
    results: [two, one, three].map(({ id }, index) => ({ index, ok: true, id })),
    changed: 3,
    unchanged: 0,
    failed: 0,
  });
  const parcels = await Promise.all([one, two, three].map(({ order }) => readOrder(order.number)));
  expect(parcels.map((order) => [order.shipment_state, order.shipments[0].tracking])).toEqual([
    ['shipped', 'T1'],
    ['shipped', 'T2'],
    ['ready', 'T3'],
  ]);
  expect(parcels[1].shipments[0].tracking_url).toBe(url);
  expect(await listHistory(one.order.id)).toContain('shipment: ready > shipped');
  const changes = await testDb()('order_changes').where({ order_id: one.order.id }).orderBy('id');
  expect(changes.at(-1)).toMatchObject({
    subject_type: 'shipment',
    user_id: staff.id,
    changes: { tracking: [null, 'T1'] },
  });
  const again = await api(staff).post('/bulk/shipments', { rows });
  expect(again.body).toMatchObject({ changed: 0, unchanged: 3, failed: 0 });
  await expectNoViolations({ order_ids: [one, two, three].map(({ order }) => order.id) });
});

test('waits for the writes of each order: hundreds at once would exceed their time limits', async () => {
  const admin = await asAdmin();
  const countWaitsFor = async (parcels: { number: string }[]) =>
    countWaits(async () => {
      const rows = parcels.map(({ number }) => ({ number, ship: true }));
      expect((await admin.post('/bulk/shipments', { rows })).body).toMatchObject({ changed: rows.length });
    });
  const ofOne = await countWaitsFor([await aParcel()]);
  const ofThree = await countWaitsFor([await aParcel(), await aParcel(), await aParcel()]);
  expect(ofThree - ofOne).toBeGreaterThanOrEqual(2);
});

test('trackings document nothing anew', async () => {
  const { rows } = await testDb().raw(`
    SELECT changes, is_documented('shipment', changes) AS is_documented
      FROM unnest(ARRAY['{"tracking": [null, "T1"]}', '{"tracking": [null, "T1"], "cost": ["1.0", "2.0"]}']::jsonb[]) changes`);
  expect(rows.map((row: { is_documented: boolean }) => row.is_documented)).toEqual([false, true]);
});

test('a former number finds the parcel, and two parcels of one order ship together', async () => {
  const variant = await aSellableVariant({ stock: 5 });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 2 }] });
  const admin = await asAdmin();
  const [{ number }] = order.shipments;
  const { id: stock_location_id } = await testDb()('stock_locations').where({ name: 'default' }).first('id');
  const split = { original_shipment_number: number, variant_id: variant.id, quantity: 1, stock_location_id };
  expect((await admin.post('/shipments/transfer_to_location', split)).status).toBe(201);
  expect((await admin.put(`/shipments/${number}`, { shipment: { number: `${number}-a` } })).status).toBe(200);
  const other = (await readOrder(order.number)).shipments.find((one: any) => one.number !== `${number}-a`);
  const rows = [number, other.number].map((one) => ({ number: one, ship: true }));
  expect((await admin.post('/bulk/shipments', { rows })).body).toMatchObject({ changed: 2 });
  expect(await readOrder(order.number)).toMatchObject({ shipment_state: 'shipped' });
  await expectNoViolations({ order_ids: [order.id] });
});

test('nothing ships if a row is wrong, unless partial; errors say why', async () => {
  const parcel = await aParcel();
  const canceled = await aPaidOrder();
  const admin = await asAdmin();
  expect((await admin.put(`/orders/${canceled.number}/cancel`)).status).toBe(200);
  const unpaid = await orderInState('complete');
  const backordered = await aPaidOrder({
    lines: [{ variant_id: (await aSellableVariant({ stock: 0, backorderable: true })).id }],
  });
  const numberOf = (order: any) => order.shipments[0].number;
  const rows = [
    { number: parcel.number, tracking: 'T', ship: true },
    { number: numberOf(canceled), tracking: 'T', ship: true },
    { number: numberOf(unpaid), tracking: 'T', ship: true },
    { number: numberOf(backordered), ship: true },
    { number: 'H0', ship: true },
    { number: parcel.number },
    { number: parcel.number, tracking_url: 'javascript:alert(1)' },
    { tracking: 'T' },
  ];
  const errors = [
    { base: ['Cannot ship shipment: it is canceled.'] },
    { base: ['Cannot ship shipment: the order is not paid.'] },
    { base: ['Cannot ship shipment: it has backordered units.'] },
    { number: ['does not exist'] },
    { tracking: ["can't be blank"] },
    { tracking_url: ['is invalid'] },
    { number: ["can't be blank"] },
  ];
  const failures = errors.map((of, at) => ({ index: at + 1, ok: false, errors: of }));
  const refused = await admin.post('/bulk/shipments', { rows });
  expect(refused.status).toBe(422);
  expect(refused.body).toEqual({
    results: [{ index: 0, ok: true }, ...failures],
    changed: 0,
    unchanged: 1,
    failed: 7,
  });
  expect(await readOrder(parcel.order.number)).toMatchObject({
    shipment_state: 'ready',
    shipments: [{ tracking: null }],
  });
  const partial = await admin.post('/bulk/shipments', { rows, partial: true });
  expect([partial.status, partial.body.changed, partial.body.failed]).toEqual([200, 1, 7]);
  expect(await readOrder(parcel.order.number)).toMatchObject({ shipment_state: 'shipped' });
  for (const order of [canceled, unpaid]) {
    expect((await readOrder(order.number)).shipments).toMatchObject([{ tracking: null }]);
  }
});

test('needs shipments:write', async () => {
  const { number } = await aParcel();
  const body = { rows: [{ number, tracking: 'T' }] };
  const clerkWith = async (...scopes: string[]) => api(await aClerk(scopes));
  expect((await (await clerkWith('orders:write')).post('/bulk/shipments', body)).status).toBe(401);
  expect((await (await clerkWith('shipments:write')).post('/bulk/shipments', body)).status).toBe(200);
});

describe('a store that captures on dispatch', () => {
  const onDispatch = (work: () => Promise<void>) =>
    withStoreSetting({ auto_capture_on_dispatch: true }, work);
  const ship = ({ shipments: [{ number }] }: any) => ({ number, tracking: 'T', ship: true });

  test('captures each order once, and keeps parcels whose capture is declined', async () => {
    const [good, bad] = [await orderInState('complete'), await orderInState('complete')];
    await testDb()('payments').where({ order_id: bad.id }).update({ response_code: 'unknown' });
    await onDispatch(async () => {
      const admin = await asAdmin();
      const body = { rows: [ship(bad), ship(good)], partial: true };
      const reply = await admin.post('/bulk/shipments', body);
      expect(reply.body).toMatchObject({ changed: 1, unchanged: 0, failed: 1 });
      expect(reply.body.results[0].errors.base).toEqual([
        expect.stringMatching(/^Cannot ship shipment: the payment gateway declined \(.+\)\.$/),
      ]);
      expect((await admin.post('/bulk/shipments', body)).body).toMatchObject({ unchanged: 1, failed: 1 });
    });
    expect(await readOrder(good.number)).toMatchObject({ payment_state: 'paid', shipment_state: 'shipped' });
    expect(await readOrder(bad.number)).toMatchObject({ shipments: [{ state: 'pending', tracking: null }] });
    const captures = testDb()('payment_operations').join('payments', 'payments.id', 'payment_id');
    expect(await captures.where({ order_id: good.id, kind: 'capture' })).toHaveLength(1);
    await expectNoViolations({ order_ids: [good.id, bad.id] });
  });

  test('what was captured beside a declined row ships later, without a second capture', async () => {
    const [good, bad] = [await orderInState('complete'), await orderInState('complete')];
    await testDb()('payments').where({ order_id: bad.id }).update({ response_code: 'unknown' });
    await onDispatch(async () => {
      const admin = await asAdmin();
      const refused = await admin.post('/bulk/shipments', { rows: [ship(good), ship(bad)] });
      expect([refused.status, refused.body.failed]).toEqual([422, 1]);
      expect(await readOrder(good.number)).toMatchObject({ payment_state: 'paid', shipment_state: 'ready' });
      const again = await admin.post('/bulk/shipments', { rows: [ship(good)] });
      expect([again.status, again.body.changed]).toEqual([200, 1]);
    });
    expect(await readOrder(good.number)).toMatchObject({ payment_state: 'paid', shipment_state: 'shipped' });
    const captures = testDb()('payment_operations').join('payments', 'payments.id', 'payment_id');
    expect(await captures.where({ order_id: good.id, kind: 'capture' })).toHaveLength(1);
    await expectNoViolations({ order_ids: [good.id, bad.id] });
  });

  /** An order of 4 units with two parcels: one with 3 units for 35.00, one with 1 unit for 10.00. */
  async function aSplitOrder(): Promise<any> {
    const variant = await aSellableVariant({ stock: 10, price: '10.00' });
    const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 4 }] });
    const moved = await (
      await asAdmin()
    ).post('/shipments/transfer_to_location', {
      original_shipment_number: order.shipments[0].number,
      variant_id: variant.id,
      quantity: 1,
      stock_location_id: await getDefaultLocationId(),
    });
    expect(moved.status).toBe(201);
    return readOrder(order.number);
  }
  const shipAll = (order: any) => order.shipments.map(({ number }: any) => ({ number, ship: true }));

  test('captures for all parcels of an order that ship in one request', async () => {
    const order = await aSplitOrder();
    await onDispatch(async () => {
      const reply = await (await asAdmin()).post('/bulk/shipments', { rows: shipAll(order) });
      expect([reply.status, reply.body.changed]).toEqual([200, 2]);
    });
    expect(await readOrder(order.number)).toMatchObject({
      payment_state: 'paid',
      payment_total: '45.0',
      shipment_state: 'shipped',
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('captures only for parcels that the authorized payments cover together', async () => {
    const order = await aSplitOrder();
    await testDb()('payments').where({ order_id: order.id }).update({ amount: '40.00' });
    await onDispatch(async () => {
      const admin = await asAdmin();
      const refused = await admin.post('/bulk/shipments', { rows: shipAll(order) });
      expect([refused.status, refused.body.failed]).toEqual([422, 1]);
      expect(await readOrder(order.number)).toMatchObject({ payment_total: '0.0' });
      const partial = await admin.post('/bulk/shipments', { rows: shipAll(order), partial: true });
      expect([partial.status, partial.body.changed, partial.body.failed]).toEqual([200, 1, 1]);
    });
    expect(await readOrder(order.number)).toMatchObject({ payment_total: '35.0', shipment_state: 'partial' });
  });

  test('captures nothing if another row is wrong', async () => {
    const order = await orderInState('complete');
    await onDispatch(async () => {
      const rows = [ship(order), { number: 'H0', ship: true }];
      const refused = await (await asAdmin()).post('/bulk/shipments', { rows });
      expect([refused.status, refused.body.failed]).toEqual([422, 1]);
    });
    expect(await readOrder(order.number)).toMatchObject({
      payment_total: '0.0',
      payments: [{ state: 'pending' }],
    });
  });

  test('a file captures when it is written, not when it is tried', async () => {
    const order = await orderInState('complete');
    const csv = `number;ship\n${order.shipments[0].number};yes\n`;
    await onDispatch(async () => {
      expect(await importCsv('shipments', csv, { dry_run: 'true' })).toMatchObject({ changed: 1, failed: 0 });
      expect(await readOrder(order.number)).toMatchObject({ payment_total: '0.0' });
      expect(await importCsv('shipments', csv)).toMatchObject({ state: 'done', changed: 1 });
    });
    expect(await readOrder(order.number)).toMatchObject({ payment_state: 'paid', shipment_state: 'shipped' });
  });
});

describe('files of trackings', () => {
  test('set trackings and ship; blank cells change nothing', async () => {
    const [one, two] = [await aParcel(), await aParcel()];
    const csv = `number,tracking,ship\n${one.number},T1,yes\n${two.number},T2,\n`;
    expect(await importCsv('shipments', csv)).toMatchObject({ state: 'done', changed: 2, failed: 0 });
    const again = `number,tracking,ship\n${one.number},,yes\n${two.number},,yes\n`;
    expect(await importCsv('shipments', again)).toMatchObject({ state: 'done', changed: 1, unchanged: 1 });
    const orders = await Promise.all([one, two].map(({ order }) => readOrder(order.number)));
    expect(orders.map((order) => [order.shipment_state, order.shipments[0].tracking])).toEqual([
      ['shipped', 'T1'],
      ['shipped', 'T2'],
    ]);
  });

  test('name line, column and reason of an error', async () => {
    const { number } = await aParcel();
    const csv = `number,tracking,ship\n${number},T1,maybe\nH0,T2,yes\n${number},,no\n`;
    expect(await importCsv('shipments', csv)).toMatchObject({
      state: 'failed',
      errors: ['2 ship must be true or false', '3 number does not exist', "4 tracking can't be blank"],
    });
  });
});
