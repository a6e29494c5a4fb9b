import { chooseSale, isEditable, request, sendAway, type Act, type Play } from './act';
import { leftOf, receiveReturn } from './acts-after-the-sale';
import { addBy, least } from './figures';
import type { Sale, SoldLine } from './sale';

/** Staff change what one line item costs: after tax, or before. */
export const adjustLine: Act = async (play) => {
  const { shop, dice } = play;
  const sale = chooseSale(play, isEditable);
  if (sale === null) return null;
  const line = dice.choose(sale.lines);
  // A line item that is discounted might cost less than nothing afterwards.
  const isLess = line.discount === null && line.price >= 200n && line.adjusted + line.taxed >= 0n;
  const amount = BigInt(1 + dice.below(60)) * (isLess && dice.isLucky(0.6) ? -1n : 1n);
  const taxed = dice.isLucky(0.6);
  const adjustment = { label: 'Scratch', amount: shop.print(amount), line_item_id: line.id, taxed };
  await request(play, null, ['post', `/orders/${sale.number}/adjustments`, { adjustment }], 201);
  if (taxed) line.taxed += amount;
  else line.adjusted += amount;
  return { sale };
};

/** Staff charge something with the freight, such as its insurance, or make it free. */
export const adjustFreight: Act = async (play) => {
  const { shop, dice } = play;
  const sale = chooseSale(play, isEditable);
  if (sale === null) return null;
  const { shipments } = await request(play, null, ['get', `/orders/${sale.number}`], 200);
  const [shipment, ...others] = shipments.filter(({ state }: any) => state !== 'canceled');
  if (shipment === undefined) return null;
  const { total } = sale.freightCost;
  const isForgiven = sale.isShipped && others.length === 0 && total > 0n && dice.isLucky(0.4);
  const amount = isForgiven ? -total : BigInt(1 + dice.below(300));
  const taxed = !isForgiven && dice.isLucky(0.6);
  const adjustment = { label: 'Insurance', amount: shop.print(amount), shipment_id: shipment.id, taxed };
  await request(play, null, ['post', `/orders/${sale.number}/adjustments`, { adjustment }], 201);
  sale.freight[taxed ? 'taxed' : 'adjusted'] += amount;
  return { sale };
};

/** Whether everything in an order is taxed at home, so that another zone changes the taxes of all of it. */
const isTaxedAtHome = ({ shop: { wares, freight } }: Parameters<Act>[0], sale: Sale): boolean =>
  freight.rates.length > 0 &&
  sale.lines.every(({ variant_id }) =>
    wares.some((ware) => ware.variant_id === variant_id && ware.charge.rates.length > 0),
  );

/** An order that has not shipped goes to another zone, and its taxes follow. */
export const move: Act = async (play) => {
  const { shop } = play;
  const sale = chooseSale(play, (one) => isEditable(one) && !one.isShipped && isTaxedAtHome(play, one));
  if (sale === null) return null;
  const isAway = sale.freight.charge.reason !== null;
  const address = isAway ? shop.addresses.home : shop.addresses.away;
  const path = `/orders/${sale.number}`;
  const order = { bill_address_attributes: address, ship_address_attributes: address };
  await request(play, null, ['put', path, { order }], 200);
  await request(play, null, ['put', `${path}/retax`, {}], 200);
  const { reason } = shop.plan.away;
  for (const line of sale.lines) {
    const charge = shop.wares.find(({ variant_id }) => variant_id === line.variant_id)?.charge ?? line.charge;
    line.charge = isAway ? charge : sendAway(charge, reason);
  }
  sale.freight.charge = isAway ? shop.freight : sendAway(shop.freight, reason);
  return { sale };
};

async function ship(play: Play, sale: Sale, line: SoldLine): Promise<void> {
  const unit = await play.shop.own
    .db('inventory_units')
    .where({ order_id: sale.id, variant_id: line.variant_id, state: 'on_hand' })
    .orderBy('id')
    .first('id');
  await request(play, null, ['put', `/inventory_units/${unit.id}?fire=ship`], 200);
  line.shipped += 1;
  sale.isShipped = true;
}

/** One unit leaves before the others of its parcel. */
export const shipUnit: Act = async (play) => {
  const sale = chooseSale(
    play,
    (one) =>
      isEditable(one) &&
      ['paid', 'credit_owed'].includes(one.paymentState) &&
      one.lines.some(({ quantity, shipped }) => quantity > shipped),
  );
  if (sale === null) return null;
  const line = play.dice.choose(sale.lines.filter(({ quantity, shipped }) => quantity > shipped));
  await ship(play, sale, line);
  return { sale };
};

/** Staff give up what has not left: it leaves the line items, and its parcel costs nothing unless some of it has left. */
export const cancelParcel: Act = async (play) => {
  const sale = chooseSale(
    play,
    (one) =>
      isEditable(one) &&
      one.adjusted >= 0n &&
      one.lines.every(({ adjusted, taxed }) => adjusted >= 0n && taxed >= 0n) &&
      one.lines.some(({ quantity, shipped }) => quantity > shipped),
  );
  if (sale === null) return null;
  const { shipments } = await request(play, null, ['get', `/orders/${sale.number}`], 200);
  for (const { number, state } of shipments) {
    if (state === 'shipped' || state === 'canceled') continue;
    await request(play, null, ['put', `/shipments/${number}/cancel`], 200);
  }
  if (!sale.isShipped) Object.assign(sale.freight, { cost: 0n, adjusted: 0n, taxed: 0n });
  for (const line of sale.lines) line.quantity = line.shipped;
  sale.lines = sale.lines.filter(({ quantity }) => quantity > 0);
  return { sale };
};

/**
 * A part of a line item leaves and comes back, often with the freight, and what has not left is taken off. What was credited is a share of
 * what was sold, which may differ by a cent from what as many units cost.
 */
export const takeOffRest: Act = async (play) => {
  const { dice } = play;
  const isOpen = (line: SoldLine): boolean => line.quantity > line.shipped;
  const sale = chooseSale(
    play,
    (one) => isEditable(one) && ['paid', 'credit_owed'].includes(one.paymentState) && one.lines.some(isOpen),
  );
  if (sale === null) return null;
  const line = dice.choose(sale.lines.filter(isOpen));
  if (line.shipped === 0) await ship(play, sale, line);
  const returns = leftOf(line) > 1 && dice.isLucky(0.5) ? [1, leftOf(line) - 1] : [leftOf(line)];
  for (const quantity of returns) {
    const items = [{ line, quantity }];
    const value = sale.valueOf(line, quantity).amount;
    const freight = sale.freightCost.total - addBy(sale.freight.returned, ({ amount }) => amount);
    const given = dice.isLucky(0.6) ? least(value + freight, sale.totals.total) : null;
    await receiveReturn(play, sale, { items, given });
    sale.bookReturn(items, given);
  }
  const before = line.quantity;
  line.quantity = line.shipped;
  // Adjustments of staff may have made the rest cost less than nothing.
  const isRefused = sale.totals.total < 0n;
  const path = `/orders/${sale.number}/line_items/${line.id}`;
  await request(play, null, ['put', path, { line_item: { quantity: line.shipped } }], isRefused ? 422 : 200);
  if (isRefused) line.quantity = before;
  return { sale };
};
