import { randomUUID } from 'node:crypto';
import { aCustomer } from '../../support/accounts.factory';
import { api, makeTestApp, type Caller } from '../../support/api';
import { testDb } from '../../support/database';
import { INVALID } from '../../support/error-bodies';
import { buildBogusGateway } from '../../support/gateways';
import {
  buildPaymentBody,
  DECLINED_CARD,
  getPaymentMethodId,
  GOOD_CARD,
  orderInState,
  showOrder,
  updateCheckout,
} from '../../support/orders.factory';
import { unique } from '../../support/unique';

/*
 * What is checked before a payment of PUT /checkouts is stored, and in which order. A card number is checked before the
 * transaction, because its gateway stores it; everything else is checked under the order's lock.
 */

const FORMS: [string, object][] = [
  ['a card number', GOOD_CARD],
  ['a token', { gateway_payment_profile_id: 'BGS-123456' }],
];

const countCards = async (name: string) => (await testDb()('credit_cards').where({ name })).length;

describe.each(FORMS)('a payment by %s', (_form, entered) => {
  const buildBody = async (name: string) => buildPaymentBody({ card: { ...entered, name } });

  test('is refused for an order that does not exist, or that the caller may not use', async () => {
    const [name, order, ann] = [unique('Ann'), await orderInState('payment'), await aCustomer()];
    const body = await buildBody(name);
    const unknownMethod = { order: { payments_attributes: [{ payment_method_id: 0 }] } };
    expect((await api({}).put('/checkouts/R000', body)).status).toBe(404);
    for (const caller of [{}, ann, { orderToken: 'x'.repeat(22) }] satisfies Caller[]) {
      // The permission is checked before the input.
      for (const sent of [body, unknownMethod]) {
        expect((await api(caller).put(`/checkouts/${order.number}`, sent)).status).toBe(401);
      }
    }
    expect(await countCards(name)).toBe(0);
    expect((await showOrder(order)).payments).toEqual([]);
  });

  test('of an unknown method returns 422, and nothing of the body is applied', async () => {
    const [name, order] = [unique('Ann'), await orderInState('payment')];
    const reply = await updateCheckout(order, {
      order: {
        special_instructions: 'Ring twice',
        payments_attributes: [{ payment_method_id: 2147483647, source_attributes: { ...entered, name } }],
      },
    });
    const errors = { 'payments.payment_method': ["can't be blank"] };
    expect([reply.status, reply.body]).toEqual([422, { error: INVALID, errors }]);
    expect(await countCards(name)).toBe(0);
    expect(await showOrder(order)).toMatchObject({ special_instructions: null, payments: [] });
  });

  test('leaves a complete order as it is', async () => {
    const [name, order] = [unique('Ann'), await orderInState('complete')];
    const reply = await updateCheckout(order, await buildBody(name));
    expect([reply.status, reply.body.payments.length]).toEqual([200, 1]);
    expect(await countCards(name)).toBe(0);
  });

  test('is stored once for an Idempotency-Key', async () => {
    const [name, order] = [unique('Ann'), await orderInState('payment')];
    const caller = { ...order.caller, headers: { 'Idempotency-Key': randomUUID() } };
    const body = await buildBody(name);
    const first = await api(caller).put(`/checkouts/${order.number}`, body);
    const again = await api(caller).put(`/checkouts/${order.number}`, body);
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([await countCards(name), (await showOrder(order)).payments.length]).toEqual([1, 1]);
  });

  test('is stored only if the order matches If-Match', async () => {
    const [name, order] = [unique('Ann'), await orderInState('payment')];
    const { etag = '' } = (await api(order.caller).get(`/orders/${order.number}`)).headers;
    const shopper = api({ ...order.caller, headers: { 'If-Match': etag } });
    const path = `/checkouts/${order.number}`;
    const body = await buildBody(name);
    expect((await shopper.put(path, body)).status).toBe(200);
    expect((await shopper.put(path, body)).status).toBe(412);
    expect([await countCards(name), (await showOrder(order)).payments.length]).toEqual([1, 1]);
  });
});

test('a card that the gateway does not store is stored without a profile', async () => {
  const order = await orderInState('payment');
  const { body } = await updateCheckout(order, await buildPaymentBody({ card: DECLINED_CARD }));
  expect(body).toMatchObject({ state: 'confirm', payments: [{ source: { last_digits: '0002' } }] });
  expect(await showOrder(order)).toMatchObject({ payments: body.payments });
});

test('the gateway receives a card only after everything else is checked', async () => {
  const stored: string[] = [];
  const gateways = buildBogusGateway({
    createProfile: ({ name }) => {
      stored.push(name);
      return Promise.resolve(null);
    },
  });
  const app = makeTestApp({ gateways });
  const [order, complete] = [await orderInState('payment'), await orderInState('complete')];
  const put = async (
    { number, caller }: { number: string; caller: Caller },
    card: object,
    method?: number,
  ) => {
    const payment_method_id = method ?? (await getPaymentMethodId('Credit Card'));
    const payments_attributes = [{ payment_method_id, source_attributes: { ...GOOD_CARD, ...card } }];
    return (await api(caller, app).put(`/checkouts/${number}`, { order: { payments_attributes } })).status;
  };
  expect(await put({ ...order, caller: {} }, { name: 'foreign' })).toBe(401);
  expect(await put(complete, { name: 'complete' })).toBe(200);
  expect(await put(order, { name: 'expired', year: '2020' })).toBe(422);
  expect(await put(order, { name: 'unknown method' }, 2147483647)).toBe(422);
  expect(await put(order, { name: 'valid' })).toBe(200);
  expect(stored).toEqual(['valid']);
});

test('a token calls no gateway, and a card number calls it outside the transaction', async () => {
  const running: number[] = [];
  const gateways = buildBogusGateway({
    createProfile: async () => {
      const sql = `SELECT count(*)::integer AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
                    WHERE relation = 'orders'::regclass AND mode = 'RowShareLock' AND datname = current_database()`;
      const { rows } = await testDb().raw<{ rows: { count: number }[] }>(sql);
      running.push(rows[0]?.count ?? -1);
      return null;
    },
  });
  const app = makeTestApp({ gateways });
  for (const [, card] of FORMS) {
    const order = await orderInState('payment');
    const reply = await api(order.caller, app).put(
      `/checkouts/${order.number}`,
      await buildPaymentBody({ card }),
    );
    expect(reply.status).toBe(200);
  }
  expect(running).toEqual([0]);
});
