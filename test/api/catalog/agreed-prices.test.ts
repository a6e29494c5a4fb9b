import { anAdmin, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { INVALID } from '../../support/error-bodies';
import { aSellableVariant, orderInState, showOrder } from '../../support/orders.factory';

/*
 * A shopper cannot get more units at a price that an admin set for a line item.
 */

const MESSAGE = 'cannot be raised: the store agreed this price for the quantity';
const refusal = (key: string) => [422, { error: INVALID, errors: { [key]: [MESSAGE] } }];

/** Creates a cart of 3 units at 15.99, for which an admin sets the price 5. */
async function orderWithAgreedPrice(): Promise<{ order: any; line: any; path: string }> {
  const order = await orderInState('cart', {
    lines: [{ variant_id: (await aSellableVariant({ stock: 100 })).id, quantity: 3 }],
  });
  const [line] = order.line_items;
  const path = `/orders/${order.number}/line_items`;
  const admin = await asAdmin();
  const reply = await admin.put(`${path}/${line.id}`, { line_item: { price: '5' } });
  expect([reply.status, reply.body.price]).toEqual([200, '5.0']);
  return { order, line, path };
}

describe('a shopper', () => {
  test('cannot raise the quantity of a line item whose price an admin set', async () => {
    const { order, line, path } = await orderWithAgreedPrice();
    const shopper = api(order.caller);
    const { variant_id } = line;
    const added = await shopper.post(path, { line_item: { variant_id, quantity: 1 } });
    expect([added.status, added.body]).toEqual(refusal('quantity'));
    const raised = await shopper.put(`${path}/${line.id}`, { line_item: { quantity: 4 } });
    expect([raised.status, raised.body]).toEqual(refusal('quantity'));
    for (const row of [
      { id: line.id, quantity: 4 },
      { variant_id },
      { sku: line.variant.sku, quantity: 9 },
    ]) {
      if ('sku' in row && row.sku === '') continue;
      for (const resource of ['orders', 'checkouts']) {
        const reply = await shopper.put(`/${resource}/${order.number}`, { order: { line_items: [row] } });
        expect([reply.status, reply.body]).toEqual(refusal('line_items.quantity'));
      }
    }
    expect(await showOrder(order)).toMatchObject({ state: 'cart', total: '15.0', total_quantity: 3 });
  });

  test('can lower and remove it; a new line item has the price of the variant', async () => {
    const { order, line, path } = await orderWithAgreedPrice();
    const shopper = api(order.caller);
    const lowered = await shopper.put(`${path}/${line.id}`, { line_item: { quantity: 2 } });
    expect([lowered.status, lowered.body]).toMatchObject([200, { quantity: 2, price: '5.0' }]);
    // The agreement does not come back with the quantity.
    const raised = await shopper.put(`${path}/${line.id}`, { line_item: { quantity: 3 } });
    expect([raised.status, raised.body]).toEqual(refusal('quantity'));
    expect((await shopper.delete(`${path}/${line.id}`)).status).toBe(204);
    const again = await shopper.post(path, { line_item: { variant_id: line.variant_id, quantity: 5 } });
    expect([again.status, again.body]).toMatchObject([201, { quantity: 5, price: '15.99' }]);
  });

  test('can raise line items at the price of the variant, also if an admin sent that price', async () => {
    const order = await orderInState('cart');
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    await (await asAdmin()).put(path, { line_item: { price: '15.99', quantity: 3 } });
    const reply = await api(order.caller).put(path, { line_item: { quantity: 4 } });
    expect([reply.status, reply.body.quantity]).toEqual([200, 4]);
  });

  test('cannot raise a line item of an order that an admin created with a price', async () => {
    const { id: variant_id } = await aSellableVariant();
    const opened = await api(await anAdmin()).post('/orders', {
      order: {
        user_id: null,
        line_items: [
          { variant_id, quantity: 1, price: '9' },
          { variant_id, quantity: 1 },
        ],
      },
    });
    const { number, token, line_items } = opened.body;
    expect(line_items).toMatchObject([{ quantity: 2, price: '9.0' }]);
    const reply = await api({ orderToken: token }).put(`/orders/${number}/line_items/${line_items[0].id}`, {
      line_item: { quantity: 3 },
    });
    expect([reply.status, reply.body]).toEqual(refusal('quantity'));
  });
});

test('an admin can raise it', async () => {
  const { line, path } = await orderWithAgreedPrice();
  const reply = await (await asAdmin()).put(`${path}/${line.id}`, { line_item: { quantity: 7 } });
  expect([reply.status, reply.body]).toMatchObject([200, { quantity: 7, price: '5.0' }]);
});

describe('the number of line items', () => {
  /** Creates a cart with this number of line items, and a variant that it does not have. */
  async function orderWithLines(count: number): Promise<{ order: any; variant_id: number }> {
    const { id: variant_id, product_id } = await aSellableVariant();
    const order = await orderInState('cart');
    await testDb().raw(
      `WITH made AS (INSERT INTO variants (product_id, position) SELECT ?, n + 1 FROM generate_series(1, ?) n RETURNING id)
       INSERT INTO line_items (order_id, variant_id, quantity, price) SELECT ?, id, 1, 1 FROM made`,
      [product_id, count - 1, order.id],
    );
    return { order, variant_id };
  }

  test('is at most 1000', async () => {
    const { order, variant_id } = await orderWithLines(999);
    const other = await aSellableVariant();
    const shopper = api(order.caller);
    const path = `/orders/${order.number}`;
    const refused = [422, { error: INVALID, errors: { line_items: ['must be at most 1000'] } }];
    const both = await shopper.put(path, {
      order: { line_items: [{ variant_id }, { variant_id: other.id }] },
    });
    expect([both.status, both.body]).toEqual(refused);
    const added = await shopper.post(`${path}/line_items`, { line_item: { variant_id } });
    expect(added.status).toBe(201);
    const further = await shopper.post(`${path}/line_items`, { line_item: { variant_id: other.id } });
    expect([further.status, further.body]).toEqual(refused);
    // More of a line item that exists is not a further one.
    const more = await shopper.post(`${path}/line_items`, { line_item: { variant_id, quantity: 2 } });
    expect([more.status, more.body.quantity]).toEqual([201, 3]);
    const stock_location_id = (await testDb()('stock_locations').where({ name: 'default' }).first('id')).id;
    const shipment = await (
      await asAdmin()
    ).post('/shipments', {
      shipment: { order_id: order.number, stock_location_id },
      variant_id: other.id,
      quantity: 1,
    });
    expect([shipment.status, shipment.body]).toEqual(refused);
  });
});
