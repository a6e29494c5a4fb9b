import { api, type Caller } from '../../support/api';
import { GOOD_CARD } from '../../support/orders.factory';
import type { Charge, Discount } from './account';
import { addBy, least, most, readAmount, take, type Dice } from './figures';
import { Sale, type SoldLine } from './sale';
import type { Code, Shop } from './shops';

/** The books of a shop, and the shop. Whatever is done in one is done in the other. */
export interface Play {
  shop: Shop;
  dice: Dice;
  sales: Sale[];
  /** What was refunded, order by order. */
  refunds: bigint[];
  /** What was done, for the report of a difference. */
  story: string[];
}

/** Performs an act. @returns the sale that it concerned, and what it refunded; null if there was nothing to do */
export type Act = (play: Play) => Promise<{ sale: Sale; refund?: bigint; makes?: string } | null>;

const MAX_SALES = 200;

async function request(
  { shop, story }: Play,
  caller: Caller | null,
  [method, path, body]: ['post' | 'put' | 'delete' | 'get', string, object?],
  expected: number,
): Promise<any> {
  const client = caller === null ? shop.own.admin : api(caller, shop.own.app);
  const reply = await client[method](path, body);
  story.push(`${method} ${path} ${JSON.stringify(body ?? {})} ${reply.status}`);
  if (reply.status !== expected) {
    throw new Error(`${method} ${path}: ${reply.status} instead of ${expected}: ${reply.text.slice(0, 500)}`);
  }
  return reply.body;
}

/** A charge of items that leave the zone of the taxes. */
function sendAway(charge: Charge, reason: string): Charge {
  const isRelieved = charge.isIncluded && charge.rates.length > 0;
  return { ...charge, rates: isRelieved ? charge.rates : [], isRelieved, reason };
}

/** Chooses a sale; the later ones are more likely. */
function chooseSale({ sales, dice }: Play, isFit: (sale: Sale) => boolean): Sale | null {
  const fit = sales.slice(-12).filter(isFit);
  return fit.length === 0 ? null : dice.choose(fit);
}

/** The discount of each line, by the code. Shares of a discount of the order are those of the reply, which are checked. */
function readDiscounts(
  lines: readonly SoldLine[],
  reply: any,
  code: Code | null,
  read: (text: unknown) => bigint,
): void {
  const amounts = lines.map(({ price, quantity }) => price * BigInt(quantity));
  const all = addBy(amounts, (amount) => amount);
  const given = lines.map(({ id }) =>
    addBy(
      reply.line_items
        .find((line: any) => line.id === id)
        .adjustments.filter((one: any) => one.source_type === 'Store::PromotionAction' && one.eligible),
      (one: any) => -read(one.amount),
    ),
  );
  const expectEqual = (what: string, actual: bigint, expected: bigint): void => {
    if (actual !== expected)
      throw new Error(`${what} of ${code?.code ?? 'no code'}: ${actual} instead of ${expected}`);
  };
  lines.forEach((line, at) => {
    const [base, off] = [amounts[at] ?? 0n, given[at] ?? 0n];
    const percent = code?.type.endsWith('percent') === true ? code.value : null;
    const discount: Discount | null = off === 0n ? null : { percent, base, off };
    if (code?.type === 'line_percent')
      expectEqual('discount', off, take(base, { above: code.value, below: 100n }));
    if (code?.type === 'line_amount') expectEqual('discount', off, least(code.value, base));
    line.discount = discount;
  });
  const taken = addBy(given, (off) => off);
  if (code?.type === 'order_percent')
    expectEqual('sum', taken, take(all, { above: code.value, below: 100n }));
  if (code?.type === 'order_amount') expectEqual('sum', taken, least(code.value, all));
  if (code?.type.startsWith('order') === true) {
    lines.forEach((_line, at) => {
      const fair = take(taken, { above: amounts[at] ?? 0n, below: all });
      const difference = (given[at] ?? 0n) - fair;
      if (difference > 1n || difference < -1n) throw new Error(`a share of ${given[at]} instead of ${fair}`);
    });
  }
}

const sell: Act = async (play) => {
  const { shop, dice, sales } = play;
  if (sales.length >= MAX_SALES) return null;
  const chosen = [...new Set(Array.from({ length: 1 + dice.below(3) }, () => dice.below(shop.wares.length)))];
  const wanted = chosen.map((at) => ({ ware: shop.wares[at], quantity: 1 + dice.below(5) }));
  const isAway = dice.isLucky(0.2);
  const address = isAway ? shop.addresses.away : shop.addresses.home;
  const cart = await request(
    play,
    {},
    [
      'post',
      '/orders',
      {
        order: {
          line_items: wanted.map(({ ware, quantity }) => ({ variant_id: ware?.variant_id, quantity })),
          ...{ email: 'ann@example.com', bill_address_attributes: address, ship_address_attributes: address },
        },
      },
    ],
    201,
  );
  const buyer = { orderToken: cart.token };
  const path = `/checkouts/${cart.number}`;
  const code = dice.isLucky(0.5) ? dice.choose(shop.codes) : null;
  if (code !== null) {
    await request(
      play,
      buyer,
      ['put', `/orders/${cart.number}/apply_coupon_code`, { coupon_code: code.code }],
      200,
    );
  }
  await request(play, buyer, ['put', `${path}/advance`], 200);
  const { card } = shop.methods;
  const payment = {
    order: { payments_attributes: [{ payment_method_id: card }] },
    payment_source: { [card]: GOOD_CARD },
  };
  await request(play, buyer, ['put', path, payment], 200);
  const sold = await request(play, buyer, ['put', path, {}], 200);
  if (sold.state !== 'complete') throw new Error(`the order is in ${sold.state}`);

  const read = (text: unknown): bigint => readAmount(text, shop.plan.digits);
  const toCharge = (charge: Charge): Charge => (isAway ? sendAway(charge, shop.plan.away.reason) : charge);
  const lines = wanted.flatMap(({ ware, quantity }): SoldLine[] => {
    if (ware === undefined) return [];
    const { id } = sold.line_items.find((line: any) => line.variant_id === ware.variant_id);
    return [
      {
        ...{ id, variant_id: ware.variant_id, product_id: ware.product_id, quantity, price: ware.price },
        ...{ charge: toCharge(ware.charge), discount: null, adjusted: 0n, shipped: 0, returned: [] },
      },
    ];
  });
  readDiscounts(lines, sold, code, read);
  const itemTotal = addBy(lines, ({ price, quantity }) => price * BigInt(quantity));
  const { amount, freeFrom } = shop.plan.freight;
  const sale = new Sale(sold.id, sold.number, {
    cost: freeFrom !== null && itemTotal >= freeFrom ? 0n : amount,
    charge: toCharge(shop.freight),
    isFree: code?.type === 'free_shipping',
    returned: [],
  });
  sale.lines = lines;
  sale.pending = sale.totals.total;
  sales.push(sale);
  return { sale, makes: 'invoice' };
};

const capture: Act = async (play) => {
  const sale = chooseSale(play, (one) => !one.isCanceled && one.pending > 0n && one.value > one.paid);
  if (sale === null) return null;
  const owed = sale.value - sale.paid;
  const part = play.dice.isLucky(0.2) ? most(least(owed, sale.pending) / 3n, 1n) : null;
  const taken = part ?? least(owed, sale.pending);
  const { payments } = await request(play, null, ['get', `/orders/${sale.number}`], 200);
  const { id } = payments.find((one: any) => one.state === 'pending');
  const body = part === null ? {} : { amount: play.shop.print(part) };
  await request(play, null, ['put', `/orders/${sale.number}/payments/${id}/capture`, body], 200);
  sale.captured.push({ id, amount: taken, refunded: 0n });
  sale.pending -= taken;
  return { sale };
};

const ship: Act = async (play) => {
  const isPaidFor = (sale: Sale): boolean => ['paid', 'credit_owed'].includes(sale.paymentState);
  const mayBeUnpaid = play.dice.isLucky(0.15);
  const sale = chooseSale(
    play,
    (one) =>
      !one.isCanceled &&
      one.lines.some((line) => line.shipped < line.quantity) &&
      (mayBeUnpaid || isPaidFor(one)),
  );
  if (sale === null) return null;
  const isPaid = isPaidFor(sale);
  const { shipments } = await request(play, null, ['get', `/orders/${sale.number}`], 200);
  for (const { number, state } of shipments) {
    if (state === 'shipped' || state === 'canceled') continue;
    await request(play, null, ['put', `/shipments/${number}/ship`], isPaid ? 200 : 422);
  }
  if (isPaid) {
    for (const line of sale.lines) line.shipped = line.quantity;
    sale.isShipped = true;
  }
  return { sale };
};

/** Sales whose items may be changed: nothing of them is on its way back. */
const isEditable = (sale: Sale): boolean => !sale.isCanceled && sale.returns.length === 0;

const changeQuantity: Act = async (play) => {
  const { dice } = play;
  const sale = chooseSale(play, isEditable);
  if (sale === null) return null;
  const line = dice.choose(sale.lines);
  const quantity = 1 + dice.below(6);
  const isRefused = quantity < line.shipped;
  const path = `/orders/${sale.number}/line_items/${line.id}`;
  await request(play, null, ['put', path, { line_item: { quantity } }], isRefused ? 422 : 200);
  if (!isRefused) line.quantity = quantity;
  return { sale };
};

const changePrice: Act = async (play) => {
  const sale = chooseSale(play, isEditable);
  if (sale === null) return null;
  const line = play.dice.choose(sale.lines);
  const price = line.price + BigInt(play.dice.below(200)) * 3n - 200n;
  if (price <= 200n) return null;
  const path = `/orders/${sale.number}/line_items/${line.id}`;
  await request(play, null, ['put', path, { line_item: { price: play.shop.print(price) } }], 200);
  line.price = price;
  return { sale };
};

const addLine: Act = async (play) => {
  const { shop, dice } = play;
  const sale = chooseSale(play, isEditable);
  const ware = dice.choose(shop.wares);
  if (sale === null || sale.lines.some(({ variant_id }) => variant_id === ware.variant_id)) return null;
  const quantity = 1 + dice.below(2);
  const { variant_id, product_id, price } = ware;
  const body = { line_item: { variant_id, quantity } };
  const { id } = await request(play, null, ['post', `/orders/${sale.number}/line_items`, body], 201);
  const { reason, isRelieved } = sale.freight.charge;
  const isAway = isRelieved || reason !== null;
  sale.lines.push({
    ...{
      id,
      variant_id,
      product_id,
      price,
      quantity,
      discount: null,
      adjusted: 0n,
      shipped: 0,
      returned: [],
    },
    charge: isAway ? sendAway(ware.charge, shop.plan.away.reason) : ware.charge,
  });
  return { sale };
};

const removeLine: Act = async (play) => {
  const sale = chooseSale(play, (one) => isEditable(one) && one.lines.length > 1);
  if (sale === null) return null;
  const line = play.dice.choose(sale.lines);
  const isRefused = line.shipped > 0;
  await request(
    play,
    null,
    ['delete', `/orders/${sale.number}/line_items/${line.id}`],
    isRefused ? 422 : 204,
  );
  if (!isRefused) sale.lines = sale.lines.filter((one) => one !== line);
  return { sale };
};

const adjust: Act = async (play) => {
  const sale = chooseSale(play, isEditable);
  if (sale === null) return null;
  const amount = BigInt(play.dice.below(400)) - 200n;
  if (amount === 0n || sale.totals.total + amount <= 0n) return null;
  const adjustment = { label: 'Goodwill', amount: play.shop.print(amount) };
  await request(play, null, ['post', `/orders/${sale.number}/adjustments`, { adjustment }], 201);
  sale.adjusted += amount;
  return { sale };
};

const changeFreight: Act = async (play) => {
  const sale = chooseSale(
    play,
    (one) => isEditable(one) && !one.freight.isFree && one.lines.every(({ shipped }) => shipped === 0),
  );
  if (sale === null) return null;
  const { shipments } = await request(play, null, ['get', `/orders/${sale.number}`], 200);
  const cost = BigInt(play.dice.below(900));
  const open = shipments.filter((one: any) => one.state !== 'canceled' && one.state !== 'shipped');
  if (open.length !== 1) return null;
  const body = { shipment: { cost: play.shop.print(cost) } };
  await request(play, null, ['put', `/shipments/${open[0].number}`, body], 200);
  sale.freight.cost = cost;
  return { sale };
};

/**
 * Sales whose last return, which credits all that they still cost, is not played. It takes all taxes that are left, so that a sale that
 * is given back whole has tax 0, and these do not belong to its units alone; the books do not know how the store divides them.
 */
const LEFT_OUT: readonly ((sale: Sale) => boolean)[] = [
  function creditedInPartBefore(sale) {
    return sale.returns.some(({ credit }, at) => credit.amount < (sale.returnValues[at] ?? 0n));
  },
  function adjustedByStaff(sale) {
    return sale.adjusted !== 0n;
  },
];

const returnUnits: Act = async (play) => {
  const { shop, dice } = play;
  const leftOf = (line: SoldLine): number =>
    line.shipped - line.returned.reduce((all, one) => all + one.quantity, 0);
  const sale = chooseSale(play, (one) => !one.isCanceled && one.lines.some((line) => leftOf(line) > 0));
  if (sale === null) return null;
  const line = dice.choose(sale.lines.filter((one) => leftOf(one) > 0));
  const quantity = 1 + dice.below(leftOf(line));
  const { total } = sale.totals;
  const value = sale.valueOf(line, quantity).amount;
  const freight = sale.freightCost.total - addBy(sale.freight.returned, ({ amount }) => amount);
  // Less than the units, a little of the freight, all of it, more than that, and more than the order.
  const amounts = [value / 2n, value + 1n, value + freight, value + freight + 7n].map((one) =>
    least(one, total),
  );
  const given = dice.choose([null, null, ...amounts, total + 1n]);
  const isRefused = given !== null && given > total;
  const body = {
    return_authorization: {
      ...{ stock_location_id: shop.location_id, return_authorization_reason_id: shop.reason_id },
      ...(given !== null && { amount: shop.print(given) }),
      ...{ items: [{ variant_id: line.variant_id, quantity }], receive: true },
    },
  };
  if ((given ?? least(value, total)) === total && LEFT_OUT.some((isLeftOut) => isLeftOut(sale))) return null;
  await request(
    play,
    null,
    ['post', `/orders/${sale.number}/return_authorizations`, body],
    isRefused ? 422 : 201,
  );
  if (!isRefused) sale.bookReturn(line, quantity, given);
  return { sale };
};

const refund: Act = async (play) => {
  const { shop, dice } = play;
  const sale = chooseSale(play, (one) => one.captured.some(({ amount, refunded }) => amount > refunded));
  if (sale === null) return null;
  const payment = dice.choose(sale.captured.filter(({ amount, refunded }) => amount > refunded));
  const left = payment.amount - payment.refunded;
  const owed = sale.paid - sale.value;
  const isOwed = owed > 0n && dice.isLucky(0.6);
  const amount = isOwed ? least(owed, left) : dice.choose([most(left / 4n, 1n), left, left + 1n]);
  const path = `/orders/${sale.number}/payments/${payment.id}/credit`;
  const body = isOwed ? {} : { amount: shop.print(amount) };
  const isRefused = amount > left;
  await request(play, null, ['put', path, body], isRefused ? 422 : 200);
  if (isRefused) return { sale };
  payment.refunded += amount;
  play.refunds.push(amount);
  return { sale, refund: amount };
};

const cancel: Act = async (play) => {
  const sale = chooseSale(play, (one) => !one.isCanceled);
  if (sale === null) return null;
  const isRefused = sale.isShipped;
  await request(play, null, ['put', `/orders/${sale.number}/cancel`], isRefused ? 422 : 200);
  if (isRefused) return { sale };
  sale.isCanceled = true;
  // Money that was taken is given back, at once.
  const { payments } = await request(play, null, ['get', `/orders/${sale.number}`], 200);
  for (const payment of sale.captured) {
    const { state, refunds } = payments.find((one: any) => one.id === payment.id);
    if (state === 'void') payment.amount = payment.refunded;
    const given =
      addBy(refunds, (one: any) => readAmount(one.amount, play.shop.plan.digits)) - payment.refunded;
    if (given > 0n) play.refunds.push(given);
    payment.refunded += given;
  }
  sale.pending = 0n;
  return { sale };
};

/** The acts with how often they are chosen. */
export const ACTS: readonly [weight: number, name: string, act: Act][] = [
  [14, 'sell', sell],
  [12, 'capture', capture],
  [12, 'ship', ship],
  [6, 'change a quantity', changeQuantity],
  [4, 'change a price', changePrice],
  [4, 'add a line', addLine],
  [2, 'remove a line', removeLine],
  [3, 'adjust', adjust],
  [3, 'change the freight', changeFreight],
  [16, 'return', returnUnits],
  [8, 'refund', refund],
  [3, 'cancel', cancel],
];
