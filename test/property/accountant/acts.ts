import { GOOD_CARD } from '../../support/orders.factory';
import type { Charge, Discount } from './account';
import { chooseSale, isEditable, request, sendAway, type Act } from './act';
import { addBy, least, most, readAmount, take } from './figures';
import { Sale, type SoldLine } from './sale';
import type { Code } from './shops';
import { cancel, payAgain, refund, resume, returnUnits } from './acts-after-the-sale';
import { importSale } from './acts-of-moving-in';
import { adjustFreight, adjustLine, cancelParcel, move, shipUnit, takeOffRest } from './acts-of-staff';

const MAX_SALES = 200;

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
          email: 'ann@example.com',
          bill_address_attributes: address,
          ship_address_attributes: address,
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
        id,
        variant_id: ware.variant_id,
        product_id: ware.product_id,
        quantity,
        price: ware.price,
        charge: toCharge(ware.charge),
        discount: null,
        adjusted: 0n,
        taxed: 0n,
        shipped: 0,
        returned: [],
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
    adjusted: 0n,
    taxed: 0n,
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
    id,
    variant_id,
    product_id,
    price,
    quantity,
    discount: null,
    adjusted: 0n,
    taxed: 0n,
    shipped: 0,
    returned: [],
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
  const { total } = sale.totals;
  const isForgiven = sale.isShipped && sale.pending === 0n && play.dice.isLucky(0.2);
  const amount = isForgiven ? -total : BigInt(play.dice.below(400)) - 200n;
  if (amount === 0n || (!isForgiven && total + amount <= 0n)) return null;
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

/** The acts with how often they are chosen. */
export const ACTS: readonly [weight: number, name: string, act: Act][] = [
  [14, 'sell', sell],
  [3, 'move a sale in', importSale],
  [12, 'capture', capture],
  [12, 'ship', ship],
  [6, 'change a quantity', changeQuantity],
  [4, 'change a price', changePrice],
  [4, 'add a line', addLine],
  [2, 'remove a line', removeLine],
  [3, 'adjust', adjust],
  [4, 'adjust a line', adjustLine],
  [3, 'adjust the freight', adjustFreight],
  [3, 'move to another zone', move],
  [3, 'change the freight', changeFreight],
  [16, 'return', returnUnits],
  [8, 'refund', refund],
  [3, 'cancel', cancel],
  [2, 'resume', resume],
  [4, 'pay again', payAgain],
  [5, 'ship a unit', shipUnit],
  [2, 'cancel a parcel', cancelParcel],
  [6, 'take off the rest', takeOffRest],
];
