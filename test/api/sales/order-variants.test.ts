import type { Knex } from 'knex';
import type { Tx } from '../../../src/platform/database/transaction';
import { noteLostConnection } from '../../../src/platform/lost-connections';
import { findOrder } from '../../../src/sales/order/load-order-graph';
import * as orderVariants from '../../../src/sales/order/order-variants';
import { selectVariantStates } from '../../../src/sales/order/order-variants-sql';
import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { uploadImage } from '../../support/images.factory';
import {
  aSellableVariant,
  orderInState,
  setStock,
  showOrder,
  updateCheckout,
} from '../../support/orders.factory';
import { anOptionType, aProduct, aVariant } from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

type Variants = Map<number, orderVariants.OrderVariant>;

async function loadOrderWithStates(db: Knex, id: number) {
  const found = await findOrder(db, { id }, { withStates: true });
  if (found === undefined) throw new Error(`order ${id} does not exist`);
  return found;
}

/** Reads the variants of an order in this process, which keeps them. */
async function readVariants(orderId: number, db: Knex = testDb(), from = orderVariants): Promise<Variants> {
  const { graph, states } = await loadOrderWithStates(db, orderId);
  return new Map(await from.getOrderVariants(db, states, graph.currency));
}

/** Reads the variants of an order as a new process does. */
async function readVariantsUncached(orderId: number): Promise<Variants> {
  let fresh: typeof orderVariants | undefined;
  jest.isolateModules(() => {
    fresh = jest.requireActual<typeof orderVariants>('../../../src/sales/order/order-variants');
  });
  return readVariants(orderId, testDb(), fresh);
}

/** Creates a variant of a product with an image and options, with stock. */
async function aCompleteVariant() {
  const type = await anOptionType('Colour', 'navy', 'red');
  const product = await aProduct({ option_type_ids: [type.id] });
  const variant = await aVariant(product, {
    sku: unique('S'),
    price: '12.50',
    option_value_ids: [type.option_values[0].id],
  });
  await setStock(variant.id, { stock: 10 });
  await uploadImage(`/variants/${variant.id}/images`);
  const [image] = await testDb()('images').where({ variant_id: variant.id });
  return { type, product, variant, image };
}

/** Returns a function that changes a row, and returns one that undoes the change. */
const change = (table: string, where: object, columns: object) => async (): Promise<() => Promise<void>> => {
  const rows = testDb()(table).where(where);
  const [before] = await rows.clone();
  await rows.clone().update(columns);
  const undo = Object.fromEntries(Object.keys(columns).map((name) => [name, before[name]]));
  return async () => void (await rows.clone().update(undo));
};

describe('the variants of an order that a process keeps', () => {
  test('show every change that was committed elsewhere, and are then read again once', async () => {
    const { type, product, variant, image } = await aCompleteVariant();
    const [value, other] = type.option_values;
    const [category] = await testDb()('tax_categories')
      .insert({ name: unique('tax') })
      .returning('id');
    const [shipping] = await testDb()('shipping_categories')
      .insert({ name: unique('shipping') })
      .returning('id');
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    const ofVariant = (columns: object) => change('variants', { id: variant.id }, columns);
    const ofProduct = (columns: object) => change('products', { id: product.id }, columns);
    const ofStore = (columns: object) => change('stores', { is_default: true }, columns);
    const ofImage = (columns: object) => change('images', { id: image.id }, columns);
    const changes: Record<string, () => Promise<() => Promise<void>>> = {
      sku: ofVariant({ sku: unique('T') }),
      position: ofVariant({ position: 7 }),
      sizes: ofVariant({ weight: '9', height: '8', width: '7', depth: '6' }),
      'cost price': ofVariant({ cost_price: '3' }),
      metadata: ofVariant({ metadata: { note: 'secret' } }),
      'public metadata': ofVariant({ public_metadata: { note: 'open' } }),
      tracking: ofVariant({ track_inventory: false }),
      'tax category of the variant': ofVariant({ tax_category_id: category.id }),
      'deleted variant': ofVariant({ deleted_at: new Date() }),
      name: ofProduct({ name: 'Other' }),
      slug: ofProduct({ slug: unique('other') }),
      description: ofProduct({ description: 'Other' }),
      'tax category of the product': ofProduct({ tax_category_id: category.id }),
      'shipping category': ofProduct({ shipping_category_id: shipping.id }),
      'deleted product': ofProduct({ deleted_at: new Date() }),
      price: change('prices', { variant_id: variant.id }, { amount: '11.11' }),
      'deleted price': change('prices', { variant_id: variant.id }, { deleted_at: new Date() }),
      'price in another currency': change('prices', { variant_id: variant.id }, { currency: 'EUR' }),
      'text of an image': ofImage({ alt: 'Other' }),
      'position of an image': ofImage({ position: 9 }),
      'image of another variant': ofImage({ variant_id: product.master.id }),
      'options of the variant': change(
        'variant_option_values',
        { variant_id: variant.id },
        { option_value_id: other.id },
      ),
      'option value': change('option_values', { id: value.id }, { name: 'Other', presentation: 'Other' }),
      'option type': change('option_types', { id: type.id }, { name: unique('o'), presentation: 'Other' }),
      'currency of the store': ofStore({ currency: 'EUR' }),
      'format of amounts': ofStore({ decimal_mark: ',', thousands_separator: '.' }),
      'tracking of the store': ofStore({ track_inventory_levels: false }),
      'count on hand': change('stock_items', { variant_id: variant.id }, { count_on_hand: 3 }),
      backorderable: change('stock_items', { variant_id: variant.id }, { backorderable: true }),
      'inactive location': change('stock_locations', { name: 'default' }, { active: false }),
    };
    for (const [name, make] of Object.entries(changes)) {
      const before = await readVariants(order.id);
      const undo = await make();
      const seen = await readVariants(order.id);
      expect([name, seen]).toEqual([name, await readVariantsUncached(order.id)]);
      expect([name, seen]).not.toEqual([name, before]);
      expect([name, await countQueries(() => readVariants(order.id))]).toEqual([name, 1]);
      await undo();
      expect([name, await readVariants(order.id)]).toEqual([name, await readVariantsUncached(order.id)]);
    }
  });

  test('are fewer if they are large', async () => {
    const { id } = await aProduct({ description: 'é'.repeat(65_535) });
    const { rows } = await testDb().raw<{ rows: { id: number }[] }>(
      'INSERT INTO variants (product_id, sku, position) SELECT ?, ?::text || n, n FROM generate_series(2, 221) n RETURNING id',
      [id, unique('L')],
    );
    const ids = rows.map((row) => row.id);
    const found = await testDb().raw<{ rows: { states: orderVariants.VariantState[] }[] }>(
      `SELECT ${selectVariantStates('?::integer[]')} AS states`,
      [ids],
    );
    const states = found.rows[0]?.states ?? [];
    expect((await orderVariants.getOrderVariants(testDb(), states, 'USD')).size).toBe(220);
    const isKept = (variantId: number | undefined) =>
      orderVariants.findKeptVariants(
        states.filter((state) => state.id === variantId),
        'USD',
      ).size === 1;
    const kept = ids.filter(isKept);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(ids.length);
  });

  test('are read from tables that all have versions', async () => {
    const { variant } = await aCompleteVariant();
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    await testDb()('products').update({ name: 'Changed' });
    let statement = '';
    const note = ({ sql }: { sql: string }): void => {
      statement = sql;
    };
    testDb().on('query', note);
    await readVariantsUncached(order.id);
    testDb().off('query', note);
    const { rows } = await testDb().transaction(async (tx) => {
      await tx.raw(`PREPARE variants_read AS ${statement.replaceAll('?', '\\?')}`);
      const explained = await tx.raw(`EXPLAIN (FORMAT JSON) EXECUTE variants_read (${variant.id})`);
      await tx.raw('DEALLOCATE variants_read');
      return explained;
    });
    const read = [...JSON.stringify(rows).matchAll(/"Relation Name":"(\w+)"/g)].map(([, table]) => table);
    const { rows: triggers } = await testDb().raw(
      `SELECT DISTINCT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE right(tgname, 8) = '_version' OR encode(tgargs, 'escape') LIKE 'shared%'`,
    );
    const versioned = triggers.map(({ relname }: { relname: string }) => relname);
    // Stock is returned with the order, and the revisions are the version.
    const others = ['stock_items', 'stock_locations', 'catalog_revisions'];
    expect(read).toContain('option_types');
    expect(read.filter((table) => !versioned.includes(table) && !others.includes(table ?? ''))).toEqual([]);
  });

  test('are all returned if a connection is lost while some of them are read', async () => {
    const { id } = await aSellableVariant();
    const changed = await aSellableVariant();
    const lines = [id, changed.id].map((variant_id) => ({ variant_id, quantity: 1 }));
    const order = await orderInState('cart', { lines });
    await readVariants(order.id);
    await testDb()('products').where({ id: changed.product_id }).update({ name: 'Changed' });
    const { graph, states } = await loadOrderWithStates(testDb(), order.id);
    const reading = orderVariants.getOrderVariants(testDb(), states, graph.currency);
    noteLostConnection();
    expect([...(await reading).keys()]).toEqual([id, changed.id]);
  });

  test('are frozen', async () => {
    const { id } = await aSellableVariant();
    const order = await orderInState('cart', { lines: [{ variant_id: id, quantity: 1 }] });
    const { product, images } = (await readVariants(order.id)).get(id) ?? {};
    expect([Object.isFrozen(product), Object.isFrozen(images)]).toEqual([true, true]);
  });

  test('show nothing of a change that was rolled back, whose version is assigned again', async () => {
    const { id, product_id } = await aSellableVariant();
    const order = await orderInState('cart', { lines: [{ variant_id: id, quantity: 1 }] });
    const rename = (db: Knex, name: string) => db('products').where({ id: product_id }).update({ name });
    const readName = async (db: Knex = testDb()) => (await readVariants(order.id, db)).get(id)?.product.name;
    const transaction = (await testDb().transaction()) as Tx; // only the type differs
    await rename(transaction, 'never');
    expect(await readName(transaction)).toBe('never');
    await transaction.rollback();
    await rename(testDb(), 'real');
    expect(await readName()).toBe('real');
  });

  test('show nothing of a shared record whose change was rolled back', async () => {
    const { type, variant } = await aCompleteVariant();
    const [value] = type.option_values;
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    const rename = (db: Knex, name: string) => db('option_values').where({ id: value.id }).update({ name });
    const readName = async (db: Knex = testDb()) =>
      (await readVariants(order.id, db)).get(variant.id)?.option_values[0]?.name;
    const transaction = (await testDb().transaction()) as Tx; // only the type differs
    await rename(transaction, 'never');
    expect(await readName(transaction)).toBe('never');
    await transaction.rollback();
    await rename(testDb(), 'real');
    expect(await readName()).toBe('real');
  });

  test('are those of the order when a product changes after the order was read', async () => {
    const { id, product_id } = await aSellableVariant();
    const order = await orderInState('cart', { lines: [{ variant_id: id, quantity: 1 }] });
    await testDb()('products').where({ id: product_id }).update({ name: 'first' });
    const { graph, states } = await loadOrderWithStates(testDb(), order.id);
    await testDb()('products').where({ id: product_id }).update({ name: 'second' });
    const late = await orderVariants.getOrderVariants(testDb(), states, graph.currency);
    expect(late.get(id)?.product.name).toBe('second');
    expect((await readVariants(order.id)).get(id)?.product.name).toBe('second');
    // The older state does not evict the newer variant.
    expect(orderVariants.findKeptVariants(states, graph.currency).size).toBe(0);
  });
});

describe('replies of a checkout', () => {
  test('show what a GET shows after each change by another connection', async () => {
    const { type, product, variant, image } = await aCompleteVariant();
    const { id: second } = await aSellableVariant();
    const lines = [
      { variant_id: variant.id, quantity: 1 },
      { variant_id: second, quantity: 1 },
    ];
    const order = await orderInState('payment', { lines });
    const [shipment] = order.shipments;
    const choice = { id: shipment.id, selected_shipping_rate_id: shipment.shipping_rates[0].id };
    // Takes no step, so it can be repeated.
    const select = () => updateCheckout(order, { order: { shipments_attributes: [choice] } });
    const admin = await asAdmin();
    const path = `/products/${product.slug}`;
    const changes: (() => Promise<unknown>)[] = [
      () => admin.put(path, { product: { name: unique('Mug') } }),
      () => admin.put(`${path}/variants/${variant.id}`, { variant: { price: '31', sku: unique('S') } }),
      () => admin.put(`${path}/images/${image.id}`, { image: { alt: 'Other' } }),
      () => admin.put(`/option_types/${type.id}`, { option_type: { presentation: 'Colors' } }),
      () => setStock(variant.id, { stock: 4 }),
      () => admin.delete(`${path}/variants/${variant.id}`),
    ];
    for (const make of changes) {
      const before = (await select()).body.line_items;
      await make();
      const { body } = await select();
      expect(body.line_items).not.toEqual(before);
      expect({ ...body, updated_at: null }).toEqual({ ...(await showOrder(order)), updated_at: null });
    }
  });

  test.each(['Credit Card', 'Check'] as const)('show the stock after a completion by %s', async (method) => {
    const { id } = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: id, quantity: 2 }], method });
    const { body } = await updateCheckout(order);
    expect(body.state).toBe('complete');
    expect(body.line_items[0].variant.total_on_hand).toBe(3);
    expect(body).toEqual(await showOrder(order));
    expect((await updateCheckout(order)).body.line_items[0].variant.total_on_hand).toBe(3);
  });
});

describe('a variant that is added to an order', () => {
  const add = async (order: any, variant_id: number) =>
    api(order.caller).post(`/orders/${order.number}/line_items`, { variant_id });
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  const yesterday = () => new Date(Date.now() - 86_400_000);

  test.each([
    ['is deleted', 'variants', () => ({ deleted_at: new Date() })],
    ['is of a deleted product', 'products', () => ({ deleted_at: new Date() })],
    ['is not available yet', 'products', () => ({ available_on: tomorrow() })],
    ['is discontinued', 'products', () => ({ discontinue_on: yesterday() })],
    ['has no price', 'prices', () => ({ deleted_at: new Date() })],
  ])('does not exist for shoppers once it %s', async (_name, table, columns) => {
    const { id, product_id } = await aSellableVariant();
    const order = await orderInState('cart', { lines: [{ variant_id: id, quantity: 1 }] });
    expect((await add(order, id)).status).toBe(201);
    const key = { products: { id: product_id }, variants: { id }, prices: { variant_id: id } }[table] ?? {};
    await testDb()(table).where(key).update(columns());
    expect((await add(order, id)).status).toBe(404);
  });

  test('has its current price and a title, and is not read by a statement of its own', async () => {
    const { id } = await aSellableVariant({ price: '10.00' });
    await orderInState('address', { lines: [{ variant_id: id, quantity: 1 }] });
    await testDb()('prices').where({ variant_id: id }).update({ amount: '12.00' });
    const first = await orderInState('cart');
    expect((await add(first, id)).body.price).toBe('12.0');
    const order = await orderInState('cart', { lines: [{ variant_id: id, quantity: 1 }] });
    const other = await aSellableVariant();
    await orderInState('address', { lines: [{ variant_id: other.id, quantity: 1 }] });
    // BEGIN, lock, order, line item, order, COMMIT.
    expect(await countQueries(() => add(order, other.id))).toBe(6);
  });

  test('may be unavailable or discontinued for admins, but never deleted', async () => {
    const { id, product_id } = await aSellableVariant();
    const order = await orderInState('cart');
    const admin = await asAdmin();
    const addAsAdmin = () => admin.post(`/orders/${order.number}/line_items`, { variant_id: id });
    const row = testDb()('products').where({ id: product_id });
    await row.clone().update({ available_on: tomorrow() });
    expect([(await add(order, id)).status, (await addAsAdmin()).status]).toEqual([404, 201]);
    await row.clone().update({ discontinue_on: yesterday() });
    expect((await addAsAdmin()).status).toBe(201);
    await row.clone().update({ deleted_at: new Date() });
    expect((await addAsAdmin()).status).toBe(404);
  });
});

test('variants are known only if all of them are', () => {
  const variants = new Map([1, 2].map((id) => [id, {}])) as Variants; // only its keys matter here
  expect([...(orderVariants.findKnownVariants(variants, [2])?.keys() ?? [])]).toEqual([2]);
  expect(orderVariants.findKnownVariants(variants, [2, 3])).toBeNull();
});
