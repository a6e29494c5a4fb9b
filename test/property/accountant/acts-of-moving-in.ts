import { calculateCost, type Charge } from './account';
import { request, type Act } from './act';
import { addBy } from './figures';
import { Sale, type SoldLine } from './sale';

/** Staff move in a sale of the system before, with the taxes that it had; it may have shipped and been paid. */
export const importSale: Act = async (play) => {
  const { shop, dice, sales } = play;
  const print = (amount: bigint): string => shop.print(amount);
  const chosen = [...new Set([dice.choose(shop.wares), dice.choose(shop.wares)])];
  const wanted = chosen.map((ware) => ({ ware, quantity: 1 + dice.below(4) }));
  const cost = BigInt(100 + dice.below(800));
  const listTaxes = (amount: bigint, charge: Charge): object[] => {
    const { taxes } = calculateCost({ amount, off: 0n, adjusted: 0n, taxed: 0n }, charge);
    return charge.rates.map(({ id }, at) => ({ tax_rate_id: id, amount: print(taxes[at] ?? 0n) }));
  };
  const sale = new Sale(0, '', {
    cost,
    charge: shop.freight,
    isFree: false,
    adjusted: 0n,
    taxed: 0n,
    returned: [],
  });
  sale.isShipped = dice.isLucky(0.7);
  sale.lines = wanted.map(({ ware: { variant_id, product_id, price, charge }, quantity }, at): SoldLine => ({
    id: at,
    variant_id,
    product_id,
    quantity,
    price,
    charge,
    discount: null,
    adjusted: 0n,
    taxed: 0n,
    shipped: sale.isShipped ? quantity : 0,
    returned: [],
  }));
  const amount = dice.isLucky(0.8) ? sale.value : 0n;
  const at = '2025-03-05T12:00:00Z';
  const order = {
    completed_at: at,
    email: 'old@example.com',
    bill_address: shop.addresses.home,
    ship_address: shop.addresses.home,
    line_items: sale.lines.map(({ variant_id, quantity, price, charge }) => ({
      variant_id,
      quantity,
      price: print(price),
      adjustments: listTaxes(price * BigInt(quantity), charge),
    })),
    shipments: [
      {
        shipping_method: 'Parcel',
        cost: print(cost),
        ...(sale.isShipped && { shipped_at: at }),
        adjustments: listTaxes(cost, shop.freight),
      },
    ],
    payments: amount === 0n ? [] : [{ amount: print(amount), payment_method: 'Card' }],
    ...(dice.isLucky(0.5) && { invoice_number: `OLD-${sales.length}`, invoiced_at: at }),
  };
  const made = await request(play, null, ['post', '/orders', { order }], 201);
  const stored = new Sale(made.id, made.number, sale.freight);
  stored.isShipped = sale.isShipped;
  stored.lines = sale.lines.map((line) => ({
    ...line,
    id: made.line_items.find((one: any) => one.variant_id === line.variant_id).id,
  }));
  stored.captured = made.payments.map(({ id }: any) => ({ id, amount, refunded: 0n }));
  if (addBy(stored.captured, (one) => one.amount) !== amount)
    throw new Error('the import has other payments');
  sales.push(stored);
  return { sale: stored };
};
