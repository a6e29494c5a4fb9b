import { aSellableVariant, buildMarylandAddress, orderInState } from '../../support/orders.factory';
import { anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import {
  keepByRevision,
  NO_REVISIONS,
  type ReferenceRevisions,
} from '../../../src/geography/reference-revisions.repository';

async function readRevisions(): Promise<ReferenceRevisions> {
  const rows = await testDb()('reference_revisions').select<{ name: string; revision: string }[]>();
  return { ...NO_REVISIONS, ...Object.fromEntries(rows.map(({ name, revision }) => [name, revision])) };
}

describe('data that is kept by its revision', () => {
  test('is read once, and again after a change', async () => {
    let reads = 0;
    const kept = keepByRevision('countries', async (db) => {
      reads += 1;
      return db('countries').where({ iso: 'US' }).pluck<string[]>('name');
    });
    const before = await readRevisions();
    expect(await kept(testDb(), before)).toEqual(await kept(testDb(), before));
    expect(reads).toBe(1);
    await testDb()('countries').where({ iso: 'US' }).update({ name: 'America' });
    const after = await readRevisions();
    expect(after.countries).not.toBe(before.countries);
    expect(after.taxes).toBe(before.taxes);
    expect(await kept(testDb(), after)).toEqual(['America']);
    expect(reads).toBe(2);
  });

  test('is not kept under a revision that a change has replaced since it was read', async () => {
    const kept = keepByRevision('countries', (db) =>
      db('countries').where({ iso: 'CA' }).pluck<string[]>('name'),
    );
    const old = await readRevisions();
    await testDb()('countries').where({ iso: 'CA' }).update({ name: 'Kanada' });
    expect(await kept(testDb(), old)).toEqual(['Kanada']);
    await testDb()('countries').where({ iso: 'CA' }).update({ name: 'Canada' });
    expect(await kept(testDb(), old)).toEqual(['Canada']);
  });

  test('of a transaction that is rolled back is never used', async () => {
    const kept = keepByRevision('countries', (db) =>
      db('countries').where({ iso: 'GB' }).pluck<string[]>('name'),
    );
    const before = await readRevisions();
    const [name] = await kept(testDb(), before);
    const rollback = testDb().transaction(async (tx) => {
      await tx('countries').where({ iso: 'GB' }).update({ name: 'Albion' });
      const { rows } = await tx.raw(
        'SELECT json_object_agg(name, revision) AS revisions FROM reference_revisions',
      );
      expect(await kept(tx, rows[0].revisions)).toEqual(['Albion']);
      throw new Error('rolled back');
    });
    await expect(rollback).rejects.toThrow('rolled back');
    expect(await kept(testDb(), await readRevisions())).toEqual([name]);
  });

  test('is frozen', async () => {
    const kept = keepByRevision('countries', () => Promise.resolve([{ nested: { name: 'x' } }]));
    const [row] = await kept(testDb(), await readRevisions());
    expect(Object.isFrozen(row?.nested)).toBe(true);
  });
});

test('every table of reference data changes a revision', async () => {
  const { rows } = await testDb().raw(
    `SELECT event_object_table AS name FROM information_schema.triggers WHERE trigger_name LIKE '%\\_reference'
      GROUP BY 1 ORDER BY 1`,
  );
  expect(rows.map(({ name }: { name: string }) => name)).toEqual([
    ...[
      'countries',
      'payment_methods',
      'shipping_categories',
      'shipping_method_categories',
      'shipping_method_zones',
    ],
    ...['shipping_methods', 'states', 'stores', 'tax_categories', 'tax_rates', 'zone_members', 'zones'],
  ]);
});

test('the next request uses a changed shipping method and a payment method that is no longer offered', async () => {
  const admin = api(await anAdmin());
  const order = await orderInState('payment');
  const [shipment] = order.shipments;
  const method = shipment.shipping_rates[0].shipping_method_id;
  const path = `/checkouts/${order.number}`;
  const shopper = api(order.caller);
  const [offered] = (await shopper.get(`/orders/${order.number}`)).body.payment_methods;
  await admin.put(`/shipping_methods/${method}`, { shipping_method: { name: 'Renamed' } });
  await admin.put(`/payment_methods/${offered.id}`, { payment_method: { active: false } });
  const reply = await shopper.put(path, { order: { special_instructions: 'ring twice' } });
  const shown = reply.status === 200 ? reply.body : (await shopper.get(`/orders/${order.number}`)).body;
  expect(JSON.stringify(shown.shipments)).toContain('Renamed');
  expect(shown.payment_methods.map(({ id }: { id: number }) => id)).not.toContain(offered.id);
  await admin.put(`/payment_methods/${offered.id}`, { payment_method: { active: true } });
});

test('a completion without a gateway call can be repeated with its Idempotency-Key', async () => {
  const order = await orderInState('confirm', { method: 'Check' });
  const shopper = api({ ...order.caller, headers: { 'Idempotency-Key': 'a-check-sent-twice' } });
  const first = await shopper.put(`/checkouts/${order.number}`);
  expect([first.status, first.body.state]).toEqual([200, 'complete']);
  const units = await testDb()('inventory_units').where({ order_id: first.body.id }).pluck('pending');
  expect(units).toEqual(units.map(() => false));
  expect((await shopper.put(`/checkouts/${order.number}`)).body).toEqual(first.body);
});

test('the reply of a step equals the order read after it', async () => {
  const { id: variant_id } = await aSellableVariant({ stock: 10 });
  const address = await buildMarylandAddress();
  const opened = (await api({}).post('/orders')).body;
  const shopper = api({ orderToken: opened.token });
  const expectSame = async (reply: any) => {
    const read = (await shopper.get(`/orders/${opened.number}`)).body;
    // A GET shows more of each shipment in state `delivery`.
    for (const shipment of [...reply.body.shipments, ...read.shipments]) {
      delete shipment.inventory_units;
      delete shipment.order;
    }
    expect(reply.body).toEqual(read);
    return read;
  };
  await shopper.post(`/orders/${opened.number}/line_items`, { variant_id, quantity: 2 });
  await expectSame(await shopper.put(`/checkouts/${opened.number}/next`));
  const attributes = { email: 'ann@example.com', bill_address_attributes: address, use_billing: true };
  const read = await expectSame(await shopper.put(`/checkouts/${opened.number}`, { order: attributes }));
  const [{ id, shipping_rates }] = read.shipments;
  const choice = { id, selected_shipping_rate_id: shipping_rates[1].id };
  const rate = { order: { shipments_attributes: [choice] } };
  await expectSame(await shopper.put(`/checkouts/${opened.number}`, rate));
});
