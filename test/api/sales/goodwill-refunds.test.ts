import { sellInGermany } from '../../support/german-sales';
import { createGermanShop, type GermanShop } from '../../support/german-shop';
import { expectNoViolations } from '../../support/invariants';

/*
 * Refunds that no return or edit explains take back turnover in proportion to what the order has at each rate. When the order
 * changes afterwards, they follow it. Replies of the API are of the type `any`, as in other tests.
 */

let shop: GermanShop;
let lamp: { variant_id: number };
let book: { variant_id: number };
let course: { variant_id: number };

beforeAll(async () => {
  shop = await createGermanShop();
  const stock = { location: shop.locations.berlin, count: 100 };
  const { standard, reduced } = shop.taxes;
  lamp = await shop.aProduct({ name: 'Lampe', price: '119', tax_category_id: standard }, stock);
  book = await shop.aProduct({ name: 'Roman', price: '53.50', tax_category_id: reduced }, stock);
  const exempt = await shop.admin.post('/tax_categories', { tax_category: { name: 'Steuerfrei' } });
  course = await shop.aProduct({ name: 'Kurs', price: '20', tax_category_id: exempt.body.id }, stock);
});
afterAll(() => shop.close());

/** Sells products whose freight is free, and takes the money. */
async function sellAndCapture(...items: { variant_id: number }[]): Promise<any> {
  const sold = await sellInGermany(
    shop,
    items.map(({ variant_id }) => ({ variant_id, quantity: 1 })),
  );
  const [payment] = sold.payments;
  expect((await shop.admin.put(`/orders/${sold.number}/payments/${payment.id}/capture`)).status).toBe(200);
  return sold;
}

async function refund({ number, payments: [payment] }: any, amount: string): Promise<void> {
  const reply = await shop.admin.put(`/orders/${number}/payments/${payment.id}/credit`, { amount });
  expect(reply.status).toBe(200);
}

async function retaxAbroad({ number, ship_address }: any): Promise<void> {
  const { switzerland: country_id } = shop.countries;
  const address = { ...ship_address, id: undefined, country: undefined, state: undefined, country_id };
  const order = { ship_address_attributes: address };
  expect((await shop.admin.put(`/orders/${number}`, { order })).status).toBe(200);
  expect((await shop.admin.put(`/orders/${number}/retax`)).status).toBe(200);
}

async function removeBook({ number, line_items }: any): Promise<void> {
  const { id } = line_items.find(({ variant_id }: any) => variant_id === book.variant_id);
  expect((await shop.admin.delete(`/orders/${number}/line_items/${id}`)).status).toBe(204);
}

/** The gross amounts and the taxes of the refunds that are left on the documents and in the books, by rate. */
async function listRefunds({ id }: any): Promise<{ documents: object; books: object }> {
  const read = async (from: string): Promise<object> => {
    const { rows } = await shop.db.raw(
      `SELECT rate, sum(total)::text AS total, round(sum(tax), 2)::text AS tax FROM (${from}) refunded
        GROUP BY rate HAVING sum(total) <> 0 OR sum(tax) <> 0 ORDER BY rate`,
      [id],
    );
    return Object.fromEntries(rows.map(({ rate, total, tax }: any) => [rate ?? 'none', [total, tax]]));
  };
  return {
    documents: await read(
      `SELECT entry -> 'taxes' -> 0 ->> 'rate' AS rate, (entry ->> 'total')::numeric AS total, (entry ->> 'tax')::numeric AS tax
         FROM documents CROSS JOIN LATERAL jsonb_array_elements(entries) entry WHERE order_id = ? AND entry ->> 'kind' = 'refund'`,
    ),
    books: await read(
      `SELECT trim_scale(rate)::text AS rate, base + tax AS total, tax FROM book_entries WHERE order_id = ? AND kind = 'refund'`,
    ),
  };
}

async function expectRefunds(order: any, refunds: object): Promise<void> {
  expect(await listRefunds(order)).toEqual({ documents: refunds, books: refunds });
  await expectNoViolations({ order_ids: [order.id] }, shop.db);
}

test('a refund is divided in proportion to the rates', async () => {
  const order = await sellAndCapture(lamp, book);
  await refund(order, '100');
  await expectRefunds(order, { '0.07': ['-31.01', '-2.03'], '0.19': ['-68.99', '-11.02'] });
});

test('what is left of a refund moves to the other rates when a rate leaves the order', async () => {
  const order = await sellAndCapture(lamp, book);
  await refund(order, '100');
  await removeBook(order);
  await expectRefunds(order, { '0.19': ['-46.50', '-7.42'] });
});

test('a refund stays as it was while the order has enough at its rates', async () => {
  const order = await sellAndCapture(lamp, book);
  await refund(order, '10');
  const [line] = order.line_items;
  const path = `/orders/${order.number}/line_items/${line.id}`;
  expect((await shop.admin.put(path, { line_item: { quantity: 2 } })).status).toBe(200);
  await expectRefunds(order, { '0.07': ['-3.10', '-0.20'], '0.19': ['-6.90', '-1.10'] });
});

test('a refund follows an order that is taxed anew', async () => {
  const order = await sellAndCapture(lamp);
  // More than the tax that an export does not have.
  await refund(order, '30');
  await retaxAbroad(order);
  await expectRefunds(order, { none: ['-11.00', '0.00'] });
});

test('a refund of everything takes back what is taxed, whatever staff adjust without tax', async () => {
  const order = await sellAndCapture(lamp, course);
  await refund(order, '139');
  const adjustment = { label: 'Kulanz', amount: '-15' };
  expect((await shop.admin.post(`/orders/${order.number}/adjustments`, { adjustment })).status).toBe(201);
  await expectRefunds(order, { '0.19': ['-119.00', '-19.00'], none: ['-5.00', '0.00'] });
});
