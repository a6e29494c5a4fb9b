import { aCustomer, anAdmin, asAdmin, aSignedUpCustomer } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aSellableVariant, orderInState, setStock } from '../../support/orders.factory';
import { aPromotion, onlyFor } from '../../support/promotions.factory';
import { unique } from '../../support/unique';

type Lines = { variant_id: number; quantity: number }[];

/** Creates a cart of a caller, guests by default, with its token. */
async function aCart(line_items: Lines, caller = {}): Promise<{ number: string; orderToken: string }> {
  const { body } = await api(caller).post('/orders', { order: { line_items } });
  return { number: body.number, orderToken: body.token };
}

const linesOf = (order: any): [number, number][] =>
  order.line_items.map((line: any) => [line.variant_id, line.quantity]);

describe('PUT /orders/:number/associate', () => {
  test('makes a cart the customer’s and merges the older cart line by line', async () => {
    const ann = await aCustomer();
    const [shared, other] = [await aSellableVariant(), await aSellableVariant()];
    const older = await aCart(
      [
        { variant_id: shared.id, quantity: 2 },
        { variant_id: other.id, quantity: 3 },
      ],
      ann,
    );
    const cart = await aCart([{ variant_id: shared.id, quantity: 1 }]);
    const caller = { ...ann, orderToken: cart.orderToken };
    const reply = await api(caller).put(`/orders/${cart.number}/associate`);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { user_id: ann.id, email: ann.email, total: '95.94' },
    ]);
    expect(linesOf(reply.body)).toEqual([
      [shared.id, 3],
      [other.id, 3],
    ]);
    expect((await api(ann).get(`/orders/${older.number}`)).status).toBe(404);
    expect((await api(ann).get('/orders/current')).body.number).toBe(cart.number);
    const again = await api(ann).put(`/orders/${cart.number}/associate`);
    expect([again.status, linesOf(again.body)]).toEqual([200, linesOf(reply.body)]);
  });

  test('keeps the metadata of merged lines', async () => {
    const [ann, admin] = [await aCustomer(), await asAdmin()];
    const [shared, other] = [await aSellableVariant(), await aSellableVariant()];
    const rows = [shared, other].map(({ id }) => ({ variant_id: id, quantity: 1 }));
    const older = await aCart(rows, ann);
    const cart = await aCart(rows.slice(0, 1));
    const store = async (number: string, metadata: object) => {
      const { line_items } = (await admin.get(`/orders/${number}`)).body;
      const changes = line_items.map(({ id }: any) => ({ id, metadata, public_metadata: metadata }));
      await admin.put(`/orders/${number}`, { order: { line_items: changes } });
    };
    await store(older.number, { from: 'older', more: 1 });
    await store(cart.number, { from: 'newer' });
    await api({ ...ann, orderToken: cart.orderToken }).put(`/orders/${cart.number}/associate`);
    const { line_items } = (await admin.get(`/orders/${cart.number}`)).body;
    const [merged, added] = [
      { from: 'newer', more: 1 },
      { from: 'older', more: 1 },
    ];
    expect(line_items).toMatchObject([
      { variant_id: shared.id, quantity: 2, metadata: merged, public_metadata: merged },
      { variant_id: other.id, metadata: added, public_metadata: added },
    ]);
  });

  test('keeps the coupon code of the older cart that applies, unless the cart has one of its own', async () => {
    const [variant, other] = [await aSellableVariant(), await aSellableVariant()];
    const [tenth, fifth] = [
      await aPromotion(),
      await aPromotion({ actions: [{ type: 'order_percent', percent: '20' }] }),
    ];
    const limited = await aPromotion({ rules: [onlyFor(other)] });
    const rows = [{ variant_id: variant.id, quantity: 1 }];
    const mergeCarts = async (codes: { older: string; newer?: string }, more: Lines = []) => {
      const ann = await aCustomer();
      const older = await aCart([...rows, ...more], ann);
      const enter = async (number: string, coupon_code: string, caller: object) => {
        const reply = await api(caller).put(`/orders/${number}/apply_coupon_code`, { coupon_code });
        expect([coupon_code, reply.status]).toEqual([coupon_code, 200]);
      };
      await enter(older.number, codes.older, ann);
      if (more.length > 0) {
        await testDb()('variants').where({ id: other.id }).update({ deleted_at: new Date() });
      }
      const cart = await aCart(rows);
      if (codes.newer !== undefined) await enter(cart.number, codes.newer, { orderToken: cart.orderToken });
      const caller = { ...ann, orderToken: cart.orderToken };
      return (await api(caller).put(`/orders/${cart.number}/associate`)).body;
    };
    expect(await mergeCarts({ older: tenth.code })).toMatchObject({
      item_total: '31.98',
      adjustment_total: '-3.2',
    });
    expect(await mergeCarts({ older: tenth.code, newer: fifth.code })).toMatchObject({
      adjustment_total: '-6.4',
    });
    const [last] = [{ variant_id: other.id, quantity: 1 }];
    expect(await mergeCarts({ older: limited.code }, [last])).toMatchObject({
      item_total: '31.98',
      adjustment_total: '0.0',
    });
  });

  test.each(['line item', 'order'])(
    'leaves what staff have adjusted in the older cart: a %s',
    async (part) => {
      const [ann, admin] = [await aCustomer(), await asAdmin()];
      const [adjusted, other] = [await aSellableVariant(), await aSellableVariant()];
      const rows = [adjusted, other].map(({ id }) => ({ variant_id: id, quantity: 1 }));
      const older = await aCart(rows, ann);
      const path = `/orders/${older.number}`;
      const line_item_id = (await admin.get(path)).body.line_items[0].id;
      const adjustment = { label: 'Promised', amount: '-2', ...(part === 'line item' && { line_item_id }) };
      expect((await admin.post(`${path}/adjustments`, { adjustment })).status).toBe(201);
      const cart = await aCart([]);
      const reply = await api({ ...ann, orderToken: cart.orderToken }).put(
        `/orders/${cart.number}/associate`,
      );
      expect(linesOf(reply.body)).toEqual(part === 'order' ? [] : [[other.id, 1]]);
      const left = (await api(ann).get(path)).body;
      expect([linesOf(left), left.total]).toEqual(
        part === 'order'
          ? [rows.map(({ variant_id }) => [variant_id, 1]), '29.98']
          : [[[adjusted.id, 1]], '13.99'],
      );
    },
  );

  test('leaves lines that cannot be added in the older cart', async () => {
    const ann = await aCustomer();
    const [scarce, other] = [await aSellableVariant({ stock: 5 }), await aSellableVariant()];
    const older = await aCart(
      [
        { variant_id: scarce.id, quantity: 4 },
        { variant_id: other.id, quantity: 1 },
      ],
      ann,
    );
    const cart = await aCart([{ variant_id: scarce.id, quantity: 1 }]);
    await setStock(scarce.id, { stock: 4 });
    const caller = { ...ann, orderToken: cart.orderToken };
    const reply = await api(caller).put(`/orders/${cart.number}/associate`);
    expect(linesOf(reply.body)).toEqual([
      [scarce.id, 1],
      [other.id, 1],
    ]);
    const left = await api(ann).get(`/orders/${older.number}`);
    expect([linesOf(left.body), left.body.total]).toEqual([[[scarce.id, 4]], '63.96']);
  });

  test('works for a complete guest order, which keeps its e-mail address', async () => {
    const ann = await aCustomer();
    const order = await orderInState('complete');
    const reply = await api({ ...ann, ...order.caller }).put(`/orders/${order.number}/associate`);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { user_id: ann.id, email: order.email, total: order.total, state: 'complete' },
    ]);
    expect((await api(ann).get('/orders/mine')).body.orders).toMatchObject([{ number: order.number }]);
  });

  test('needs both tokens, and is neither for staff nor for orders of others', async () => {
    const [ann, bob, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
    const cart = await aCart([]);
    const path = `/orders/${cart.number}/associate`;
    const { orderToken } = cart;
    for (const caller of [{ orderToken }, ann, { ...ann, orderToken: 'wrong' }, { ...admin, orderToken }]) {
      expect((await api(caller).put(path)).status).toBe(401);
    }
    expect((await api({ ...bob, orderToken }).put(path)).status).toBe(200);
    expect((await api({ ...ann, orderToken }).put(path)).status).toBe(401);
    expect(await testDb()('orders').where({ number: cart.number }).pluck('user_id')).toEqual([bob.id]);
  });

  test('concurrent requests merge an older cart once', async () => {
    const ann = await aCustomer();
    const variant = await aSellableVariant();
    await aCart([{ variant_id: variant.id, quantity: 1 }], ann);
    const carts = [await aCart([]), await aCart([])];
    const replies = await Promise.all(
      carts.map(({ number, orderToken }) => api({ ...ann, orderToken }).put(`/orders/${number}/associate`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await testDb().raw(
      'SELECT sum(quantity)::int AS units FROM line_items l JOIN orders o ON o.id = l.order_id WHERE o.user_id = ?',
      [ann.id],
    );
    expect(rows).toEqual([{ units: 1 }]);
  });
});

describe('sign-in and sign-up', () => {
  test('take over the order of their token, and succeed with a wrong one', async () => {
    const ann = await aSignedUpCustomer();
    const [cart, second] = [await aCart([]), await aCart([])];
    const credentials = { email: ann.email, password: ann.password };
    for (const order_token of ['wrong', cart.orderToken]) {
      const reply = await api().post('/sessions', { ...credentials, order_number: cart.number, order_token });
      expect(reply.status).toBe(201);
      const { user_id } = await testDb()('orders').where({ number: cart.number }).first('user_id');
      expect(user_id).toBe(order_token === 'wrong' ? null : ann.id);
    }
    const bob = await api().post('/users', {
      user: { email: `${unique('bob')}@example.com`, password: 'secret12' },
      order_number: second.number,
      order_token: second.orderToken,
    });
    expect((await api(bob.body).get('/orders/current')).body.number).toBe(second.number);
  });
});
