import { GOOD_CARD } from '../../support/orders.factory';
import { chooseSale, request, type Act, type Play } from './act';
import { addBy, least, most, readAmount } from './figures';
import type { ReturnItem, Sale, SoldLine } from './sale';

/** Shipped units of a line item that have not come back. */
export const leftOf = (line: SoldLine): number =>
  line.shipped - line.returned.reduce((all, one) => all + one.quantity, 0);

export const returnUnits: Act = async (play) => {
  const { dice } = play;
  const sale = chooseSale(play, (one) => !one.isCanceled && one.lines.some((line) => leftOf(line) > 0));
  if (sale === null) return null;
  const left = sale.lines.filter((one) => leftOf(one) > 0);
  const chosen = dice.isLucky(0.5) ? [dice.choose(left)] : left;
  const items = chosen.map((line) => ({ line, quantity: 1 + dice.below(leftOf(line)) }));
  const { total } = sale.totals;
  const value = addBy(items, ({ line, quantity }) => sale.valueOf(line, quantity).amount);
  const freight = sale.freightCost.total - addBy(sale.freight.returned, ({ amount }) => amount);
  // Less than the units, a little of the freight, all of it, more than that, and more than the order.
  const amounts = [value / 2n, value + 1n, value + freight, value + freight + 7n].map((one) =>
    least(one, total),
  );
  const given = dice.choose([null, null, ...amounts, total + 1n]);
  const isRefused = given !== null && given > total;
  const credited = given ?? least(value, total);
  // It is not known how less than the items are worth is divided among them.
  if (items.length > 1 && credited < value && !sale.isWhole(items, credited)) return null;
  await receiveReturn(play, sale, { items, given }, isRefused);
  if (!isRefused) sale.bookReturn(items, given);
  return { sale };
};

/** Sends a return that is received at once. */
export async function receiveReturn(
  play: Play,
  sale: Sale,
  { items, given }: { items: readonly ReturnItem[]; given: bigint | null },
  isRefused = false,
): Promise<void> {
  const { shop } = play;
  const body = {
    return_authorization: {
      stock_location_id: shop.location_id,
      return_authorization_reason_id: shop.reason_id,
      ...(given !== null && { amount: shop.print(given) }),
      items: items.map(({ line, quantity }) => ({ variant_id: line.variant_id, quantity })),
      receive: true,
    },
  };
  await request(
    play,
    null,
    ['post', `/orders/${sale.number}/return_authorizations`, body],
    isRefused ? 422 : 201,
  );
}

export const refund: Act = async (play) => {
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

export const cancel: Act = async (play) => {
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

/** A canceled order is sold again, and has to be paid again. */
export const resume: Act = async (play) => {
  const sale = chooseSale(play, (one) => one.isCanceled);
  if (sale === null) return null;
  await request(play, null, ['put', `/orders/${sale.number}/resume`], 200);
  sale.isCanceled = false;
  return { sale };
};

/** What an order still owes is paid by another card. */
export const payAgain: Act = async (play) => {
  const sale = chooseSale(play, (one) => !one.isCanceled && one.pending === 0n && one.value > one.paid);
  if (sale === null) return null;
  const amount = sale.value - sale.paid;
  const { card } = play.shop.methods;
  const payment = { payment_method_id: card, amount: play.shop.print(amount), source_attributes: GOOD_CARD };
  const path = `/orders/${sale.number}/payments`;
  const { id } = await request(play, null, ['post', path, { payment }], 201);
  await request(play, null, ['put', `${path}/${id}/purchase`], 200);
  sale.captured.push({ id, amount, refunded: 0n });
  return { sale };
};
