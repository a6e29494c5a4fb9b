import { withTransaction, type Tx } from '../../src/platform/database/transaction';
import { buildAddressGraph, getCountries } from '../../src/geography/addresses/addresses.repository';
import { loadOrderGraph } from '../../src/sales/order/load-order-graph';
import type { OrderGraph } from '../../src/sales/order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../../src/sales/order/order-lock';
import { newId } from '../../src/sales/order/new-id';
import { createDraft } from '../../src/sales/order-updater/order-draft';
import { saveOrder, type Change } from '../../src/sales/order-updater/save-order';
import { buildAdjustment } from '../../src/sales/pricing/new-adjustment';
import { testDb } from '../support/database';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { listQueries } from '../support/queries';

const cause = { user_id: null, reason: 'test' };

/** Locks an order, saves a change of it, and reads it again in the same transaction. */
async function change(
  id: number,
  build: (order: LockedOrderGraph, tx: Tx) => Partial<Change> | Promise<Partial<Change>>,
): Promise<{ before: OrderGraph; saved: OrderGraph; read: OrderGraph; sent: string[] }> {
  return withTransaction({ db: testDb() }, async (tx) => {
    const before = await lockOrder(tx, { id });
    const changed = { ...createDraft(before), cause, ...(await build(before, tx)) };
    let saved: OrderGraph = before;
    const sent = await listQueries(async () => {
      saved = await saveOrder(tx, before, changed);
    });
    return { before, saved, read: await loadOrderGraph(tx, id), sent };
  });
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

const UNCOMPARED = ['read_at', 'transaction_time', 'variants'];

/** Prepares an order for a comparison: without what depends on when it was read; numbers without zeros at their end. */
function normalize(value: unknown): unknown {
  if (typeof value === 'string' && DECIMAL.test(value)) return String(Number(value));
  if (value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value))
    return value;
  if (Array.isArray(value)) return value.map(normalize);
  const entries = Object.entries(value).filter(
    ([key, one]) => one !== undefined && !UNCOMPARED.includes(key),
  );
  return Object.fromEntries(entries.map(([key, one]) => [key, normalize(one)]));
}

const tablesOf = (sent: readonly string[]): string[] =>
  sent.flatMap((sql) => /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1] ?? []);

async function anOrderOfTwoLines(): Promise<{ id: number; variantId: number }> {
  const variants = [await aSellableVariant({ stock: 9 }), await aSellableVariant({ stock: 9 })];
  const { id } = await orderInState('confirm', {
    lines: variants.map((variant) => ({ variant_id: variant.id, quantity: 2 })),
  });
  const { id: variantId } = await aSellableVariant({ stock: 9 });
  return { id, variantId };
}

test('what a change returns is what is read afterwards', async () => {
  const { id, variantId } = await anOrderOfTwoLines();
  const { before, saved, read } = await change(id, async (order, tx) => {
    const [first] = order.line_items;
    const [shipment] = order.shipments;
    const [payment] = order.payments;
    const { bill_address, ship_address } = order;
    if (!first || !shipment || !payment || !bill_address || !ship_address) throw new Error('parts');
    const countries = await getCountries(tx, order.revisions);
    const lineId = newId();
    const shipmentId = newId();
    const created_at = order.transaction_time;
    const unit = {
      line_item_id: lineId,
      variant_id: variantId,
      state: 'on_hand',
      counted_quantity: 2,
    } as const;
    const [rate] = shipment.rates;
    if (rate === undefined) throw new Error('rates');
    const replaced = buildAddressGraph(newId(), { ...ship_address, city: 'Bergen' }, countries);
    return {
      history: [
        {
          order_id: id,
          subject_type: 'order',
          subject_id: id,
          from_state: 'confirm',
          to_state: 'confirm',
          ...cause,
        },
      ],
      order: {
        ...order,
        email: 'other@example.com',
        metadata: { b: 1, a: [null] },
        special_instructions: null,
        bill_address: { ...bill_address, city: 'Oslo' },
        ship_address: replaced,
        ship_address_id: replaced.id,
        line_items: [
          { ...first, quantity: 5, price: '7.5' },
          { ...first, id: lineId, variant_id: variantId, quantity: 3, created_at, metadata: { note: '"?' } },
        ],
        shipments: [
          {
            ...shipment,
            id: shipmentId,
            number: 'H-SAVED',
            created_at,
            cost: '1',
            is_added: true,
            units: [
              { ...unit, shipment_id: shipmentId, quantity: 3 },
              { ...unit, shipment_id: shipmentId, quantity: 1, state: 'backordered', counted_quantity: 0 },
            ],
            rates: [{ ...rate, id: newId(), shipment_id: shipmentId, selected: true }],
          },
        ],
        payments: [
          { ...payment, amount: '1.00' },
          {
            ...payment,
            id: newId(),
            number: 'P-SAVED',
            created_at,
            amount: '2',
            settled_state: payment.state,
          },
        ],
        adjustments: [
          buildAdjustment(order, {
            line_item_id: lineId,
            shipment_id: null,
            source_type: null,
            source_id: null,
            amount: '-1',
            label: 'Sorry',
          }),
        ],
      },
    };
  });
  // A line that was added in the transaction is marked when it is read.
  const read_lines = read.line_items.map((line) => ({ ...line, is_added: false }));
  expect(normalize(saved)).toEqual(normalize({ ...read, line_items: read_lines }));
  expect(saved.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
  expect(Math.min(...saved.line_items.map((line) => line.id))).toBeGreaterThan(0);
  // The replaced address belonged to this order only.
  expect(await testDb()('addresses').where({ id: before.ship_address_id ?? 0 })).toEqual([]);
  const history = await testDb()('state_changes').where({ order_id: id, reason: 'test' });
  expect(history).toHaveLength(1);
});

test('another rate is selected after the former one is deselected', async () => {
  const { id } = await orderInState('payment');
  const { saved, read, sent } = await change(id, (order) => ({
    order: {
      ...order,
      shipments: order.shipments.map((shipment) => ({
        ...shipment,
        cost: '3.00',
        rates: shipment.rates.map((rate, place) => ({ ...rate, selected: place === 1 })),
      })),
    },
  }));
  expect(normalize(saved)).toEqual(normalize(read));
  expect(tablesOf(sent)).toEqual(['shipments', 'shipping_rates', 'shipping_rates', 'orders']);
});

test('an order that does not change is not written', async () => {
  const { id } = await anOrderOfTwoLines();
  const { before, read, sent } = await change(id, (order) => ({
    order: {
      ...order,
      total: `${order.total}0`,
      line_items: order.line_items.map((line) => ({ ...line, price: `${line.price}0`, metadata: {} })),
    },
  }));
  expect([sent, read.updated_at]).toEqual([[], before.updated_at]);
});

test('only changed columns are written, with one statement for each table and set of columns', async () => {
  const { id } = await anOrderOfTwoLines();
  const { sent } = await change(id, (order) => ({
    order: {
      ...order,
      line_items: order.line_items.map((line) => ({ ...line, quantity: line.quantity + 1 })),
    },
  }));
  expect(tablesOf(sent)).toEqual(['line_items', 'orders']);
  expect(sent[0]).toContain('SET quantity = r.quantity\n');
  expect(sent[1]).toMatch(/SET updated_at = \$1 WHERE/);
});

test('an order that will be saved again keeps its time while only its records change', async () => {
  const { id } = await anOrderOfTwoLines();
  const { before, saved, read } = await change(id, (order) => ({
    locked: null,
    order: { ...order, line_items: order.line_items.map((line) => ({ ...line, quantity: 3 })) },
  }));
  expect(saved.line_items.map(({ quantity }) => quantity)).toEqual([3, 3]);
  expect([saved.updated_at, read.updated_at]).toEqual([before.updated_at, before.updated_at]);
});

test('what other statements of the transaction have written stays', async () => {
  const { id } = await anOrderOfTwoLines();
  const { read } = await change(id, async (order, tx) => {
    await tx('line_items').where({ order_id: id }).update({ price: '99' });
    return { order: { ...order, line_items: order.line_items.map((line) => ({ ...line, quantity: 3 })) } };
  });
  expect(read.line_items.map(({ quantity, price }) => [quantity, price])).toEqual([
    [3, '99.00'],
    [3, '99.00'],
  ]);
});

test('a command runs after the records that it refers to', async () => {
  const { id, variantId } = await anOrderOfTwoLines();
  const insert = (order: LockedOrderGraph): Partial<Change> => {
    const [line] = order.line_items;
    if (line === undefined) throw new Error('lines');
    const statement = {
      name: 'test_raise',
      sql: 'UPDATE line_items SET quantity = quantity + 1 WHERE order_id = ? AND variant_id = ?',
    };
    return {
      commands: [{ statement, bindings: [id, variantId] }],
      order: { ...order, line_items: [...order.line_items, { ...line, id: newId(), variant_id: variantId }] },
    };
  };
  const { read } = await change(id, insert);
  expect(read.line_items.map(({ quantity }) => quantity)).toEqual([2, 2, 3]);
});

test.each([
  [
    'number',
    (order: LockedOrderGraph, taken: string) => order.payments.map((one) => ({ ...one, number: taken })),
  ],
])('a taken random %s runs the transaction again', async (_name, take) => {
  const taken = await orderInState('confirm');
  const [other] = await testDb()('payments').where({ order_id: taken.id }).pluck<string[]>('number');
  const { id } = await orderInState('confirm');
  let runs = 0;
  await withTransaction({ db: testDb() }, async (tx) => {
    const before = await lockOrder(tx, { id });
    runs += 1;
    const [added] = take(before, runs === 1 ? (other ?? '') : `P-FREE-${id}`);
    if (added === undefined) throw new Error('payments');
    const payments = [...before.payments, { ...added, id: newId() }];
    await saveOrder(tx, before, { ...createDraft(before), cause, order: { ...before, payments } });
  });
  const numbers = await testDb()('payments').where({ order_id: id }).orderBy('id').pluck<string[]>('number');
  expect([runs, numbers.at(-1)]).toEqual([2, `P-FREE-${id}`]);
});
