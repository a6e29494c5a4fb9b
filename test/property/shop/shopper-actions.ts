import type { Response } from 'supertest';
import { DECLINED_CARD, GOOD_CARD } from '../../support/orders.factory';
import { choose, chooseOrder, type Perform, type Picks } from './picks';
import { asCaller, type KnownOrder, type World } from './world';

const asBuyer = (world: World, order: KnownOrder) => asCaller(world, order.caller);

/** Performs a request of the buyer of an order. */
const onOrder =
  (request: (world: World, order: KnownOrder, picks: Picks) => Promise<unknown>): Perform =>
  async (world, picks) => {
    const order = chooseOrder(world, picks);
    if (order !== undefined) await request(world, order, picks);
  };

const step = (word: string): Perform =>
  onOrder((world, order) => asBuyer(world, order).put(`/checkouts/${order.number}${word}`));

function buildLine(world: World, { which, amount }: Picks): object {
  return { variant_id: choose(world.wares, which).variant_id, quantity: amount };
}

function buildAddresses(world: World, { which }: Picks): object {
  const address = choose(world.addresses.home, which);
  return {
    email: 'ann@example.com',
    bill_address_attributes: address,
    ship_address_attributes: address,
  };
}

/** Builds the payment attributes of a valid card, a declined card or a check. */
function buildPayment(world: World, { which }: Picks): object {
  const { card, check } = world.methods;
  if (which % 4 === 3) return { order: { payments_attributes: [{ payment_method_id: check }] } };
  const source = which % 4 === 2 ? DECLINED_CARD : GOOD_CARD;
  return {
    order: { payments_attributes: [{ payment_method_id: card }] },
    payment_source: { [card]: source },
  };
}

async function buy(world: World, picks: Picks): Promise<void> {
  const order = await createOrder(world, { ...picks, amount: Math.max(1, picks.amount) });
  if (order === undefined) return;
  const buyer = asBuyer(world, order);
  const path = `/checkouts/${order.number}`;
  await buyer.put(`${path}/next`);
  const coupon = picks.amount > 0 ? { coupon_code: choose(world.codes, picks.which + picks.amount) } : {};
  await buyer.put(path, { order: { ...buildAddresses(world, picks), ...coupon } });
  await buyer.put(`${path}/next`);
  await buyer.put(path, buildPayment(world, { ...picks, which: picks.which * 3 }));
  await buyer.put(`${path}/advance`);
}

async function createOrder(world: World, picks: Picks): Promise<KnownOrder | undefined> {
  const buyer = choose(world.shoppers, picks.who);
  const lines = [buildLine(world, picks), buildLine(world, { ...picks, which: picks.which + 1, amount: 1 })];
  const reply = await asCaller(world, buyer).post('/orders', {
    order: { line_items: lines.slice(0, 1 + (picks.order % 2)) },
  });
  if (reply.status !== 201) return undefined;
  const order = { number: reply.body.number, caller: { ...buyer, orderToken: reply.body.token } };
  world.orders.push(order);
  return order;
}

/** Reads the order and returns the path of one of its line items. */
async function findLinePath(world: World, order: KnownOrder, { which }: Picks): Promise<string> {
  const reply: Response = await asBuyer(world, order).get(`/orders/${order.number}`);
  const lines: { id: number }[] = reply.body.line_items ?? [];
  return `/orders/${order.number}/line_items/${lines.length === 0 ? 0 : choose(lines, which).id}`;
}

async function chooseRates(world: World, order: KnownOrder, { which }: Picks): Promise<void> {
  const reply: Response = await asBuyer(world, order).get(`/orders/${order.number}`);
  const shipments: { id: number; shipping_rates: { id: number }[] }[] = reply.body.shipments ?? [];
  const shipments_attributes = shipments.flatMap(({ id, shipping_rates }) =>
    shipping_rates.length === 0 ? [] : [{ id, selected_shipping_rate_id: choose(shipping_rates, which).id }],
  );
  await asBuyer(world, order).put(`/checkouts/${order.number}`, { order: { shipments_attributes } });
}

const STEPS = ['cart', 'address', 'delivery', 'payment', 'confirm'];

/** The actions of shoppers. */
export const shopperActions: Record<string, Perform> = {
  buy,
  create_order: async (world, picks) => void (await createOrder(world, picks)),
  next: step('/next'),
  advance: step('/advance'),
  add_line: onOrder((world, order, picks) =>
    asBuyer(world, order).post(`/orders/${order.number}/line_items`, { line_item: buildLine(world, picks) }),
  ),
  set_line: onOrder(async (world, order, picks) =>
    asBuyer(world, order).put(await findLinePath(world, order, picks), {
      line_item: { quantity: picks.amount },
    }),
  ),
  remove_line: onOrder(async (world, order, picks) =>
    asBuyer(world, order).delete(await findLinePath(world, order, picks)),
  ),
  put_order_lines: onOrder((world, order, picks) =>
    asBuyer(world, order).put(`/orders/${order.number}`, {
      order: { line_items: [buildLine(world, picks)] },
    }),
  ),
  address: onOrder((world, order, picks) =>
    asBuyer(world, order).put(`/checkouts/${order.number}`, { order: buildAddresses(world, picks) }),
  ),
  step_back: onOrder((world, order, { which }) =>
    asBuyer(world, order).put(`/checkouts/${order.number}`, { order: {}, state: choose(STEPS, which) }),
  ),
  choose_rates: onOrder(chooseRates),
  pay: onOrder((world, order, picks) =>
    asBuyer(world, order).put(`/checkouts/${order.number}`, buildPayment(world, picks)),
  ),
  enter_payment: onOrder((world, order, { which, amount }) =>
    asBuyer(world, order).post(`/orders/${order.number}/payments`, {
      payment: {
        payment_method_id: which % 2 === 0 ? world.methods.card : world.methods.check,
        ...(which % 2 === 0 && { source_attributes: GOOD_CARD }),
        ...(amount > 1 && { amount: amount * 5 }),
      },
    }),
  ),
  enter_coupon: onOrder((world, order, { which, amount }) =>
    asBuyer(world, order).put(`/orders/${order.number}/apply_coupon_code`, {
      coupon_code: choose(world.codes, which + amount),
    }),
  ),
  empty: onOrder((world, order) => asBuyer(world, order).put(`/orders/${order.number}/empty`)),
  cancel: onOrder((world, order) => asBuyer(world, order).put(`/orders/${order.number}/cancel`)),
};
