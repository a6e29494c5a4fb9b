import type { Knex } from 'knex';
import { cloneTemplate, ensureTestDatabase, onServer, testDb, dropClone } from '../../support/database';
import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aSellableVariant } from '../../support/orders.factory';
import { unique } from '../../support/unique';
import { getOrderVariants, type VariantState } from '../../../src/sales/order/order-variants';
import { selectVariantStates } from '../../../src/sales/order/order-variants-sql';

/**
 * What an instance keeps in memory is wrong once its database is an older copy of itself: a replica that was promoted before it
 * had the last commits, or a backup.
 */

async function nameDatabase(): Promise<string> {
  return new URL(await ensureTestDatabase()).pathname.slice(1);
}

const closeConnections = (name: string) =>
  onServer(async (client) => {
    await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
      name,
    ]);
  });

/** Copies the database of this file, replaces it by the copy after `work`, and drops what `work` has written. */
async function undoing<T>(work: () => Promise<T>): Promise<T> {
  const name = await nameDatabase();
  const [older, lost] = [`${name}_older`, `${name}_lost`];
  await closeConnections(name);
  await cloneTemplate(older, name);
  const result = await work();
  await closeConnections(name);
  await onServer(async (client) => {
    await client.query(`ALTER DATABASE ${name} RENAME TO ${lost}`);
    await client.query(`ALTER DATABASE ${older} RENAME TO ${name}`);
  });
  await dropClone(lost);
  return result;
}

test('an instance sells at the prices of the database after commits were lost', async () => {
  const { id, product_id } = await aSellableVariant({ price: '10.00' });
  const admin = await asAdmin();
  const setPrice = async (price: string) => {
    const { status } = await admin.put(`/products/${product_id}`, { product: { price } });
    if (status !== 200) throw new Error(`the price is not changed: ${status}`);
  };
  const readPrices = async () => {
    const shown = await api().get(`/products/${product_id}`);
    const listed = await api().get(`/products?ids=${product_id}`);
    const cart = await api().post('/orders', { order: { line_items: [{ variant_id: id, quantity: 1 }] } });
    const shopper = api({ orderToken: cart.body.token });
    const line = await shopper.post(`/orders/${cart.body.number}/line_items`, {
      variant_id: id,
      quantity: 1,
    });
    return [
      shown.body.master.price,
      listed.body.products[0].master.price,
      cart.body.item_total,
      line.body.price,
    ];
  };

  const before = await undoing(async () => {
    await setPrice('77.77');
    return readPrices();
  });
  expect(before).toEqual(['77.77', '77.77', '77.77', '77.77']);
  await setPrice('99.99');
  expect(await readPrices()).toEqual(['99.99', '99.99', '99.99', '99.99']);
});

test('an instance does not show a lost product under the id of another one', async () => {
  const admin = await asAdmin();
  const { body: categories } = await admin.get('/shipping_categories');
  const create = async (name: string) => {
    const { body } = await admin.post('/products', {
      product: { name, price: '5', shipping_category_id: categories.shipping_categories[0].id },
    });
    return body.id as number;
  };
  const [lost, stored] = [unique('Lost'), unique('Stored')];
  const readName = async (id: number) => (await admin.get(`/products/${id}`)).body.name as string;
  const id = await undoing(async () => {
    const made = await create(lost);
    expect(await readName(made)).toBe(lost);
    return made;
  });
  const again = await create(stored);
  // The copy gives the id again.
  expect([again, await readName(again)]).toEqual([id, stored]);
});

type Marks = Record<string, string>;

/** Reads what is equal as long as nothing changes: the revisions of the catalog, and the version of a product. */
async function readMarks(db: Knex, productId: number): Promise<Marks> {
  const { rows } = await db.raw<{ rows: { mark: string; value: string }[] }>(
    `SELECT kind AS mark, sum(n)::text AS value FROM catalog_revisions GROUP BY kind
     UNION ALL SELECT 'version', version::text FROM products WHERE id = ?`,
    [productId],
  );
  return Object.fromEntries(rows.map(({ mark, value }) => [mark, value]));
}

test.each([
  ['products', ['product', 'version']],
  ['stock_items', ['stock']],
  ['tax_categories', ['shared']],
  ['stores', ['shared', 'visibility']],
])('two histories of %s have no revision in common', async (table, changed) => {
  const { product_id } = await aSellableVariant();
  const before = await readMarks(testDb(), product_id);
  const live = async (): Promise<Marks> => {
    const tx = await testDb().transaction();
    await tx(table).update({ updated_at: tx.fn.now() });
    const marks = await readMarks(tx, product_id);
    await tx.rollback();
    return marks;
  };
  const [one, other] = [await live(), await live()];
  const differing = (left: Marks, right: Marks) =>
    Object.keys(left)
      .filter((mark) => left[mark] !== right[mark])
      .sort();
  expect(differing(before, one)).toEqual(expect.arrayContaining(changed));
  expect(differing(one, other)).toEqual(differing(before, one));
});

test('an instance forgets what it keeps when its connections are lost', async () => {
  const { id, product_id } = await aSellableVariant({ price: '10.00' });
  const readPrices = async () => {
    const shown = await api().get(`/products/${product_id}`);
    const { rows } = await testDb().raw<{ rows: [{ states: VariantState[] }] }>(
      `SELECT ${selectVariantStates(`ARRAY[${id}]`)} AS states`,
    );
    const sold = await getOrderVariants(testDb(), rows[0].states, 'USD');
    return [shown.body.master.price, sold.get(id)?.order_price];
  };
  expect(await readPrices()).toEqual(['10.0', '10.00']);
  // As in a copy of the database whose revisions are the same by chance: triggers set them.
  await testDb().transaction(async (tx) => {
    await tx.raw("SET LOCAL session_replication_role = 'replica'");
    await tx('prices').where({ variant_id: id }).update({ amount: '55' });
  });
  await closeConnections(await nameDatabase());
  // The first requests may find out that their connections are lost.
  let prices: unknown[] = [];
  for (let attempt = 0; attempt < 10 && prices[0] !== '55.0'; attempt += 1) {
    prices = await readPrices().catch(() => []);
  }
  expect(prices).toEqual(['55.0', '55.00']);
});
